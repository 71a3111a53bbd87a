// A struct is converted to another type, and its field read there.
package main

import "sync"

type box struct {
	mu sync.Mutex
	n  int
}

type one struct{ b *box }
type two struct{ b *box }

func main() {
	x, y := &box{}, &box{}
	a := one{b: x}
	b := &two{b: y}
	*b = two(a)
	go func() {
		y.mu.Lock()
		x.n++ // RACE!
		y.mu.Unlock()
	}()
	b.b.mu.Lock()
	b.b.n++ // RACE!
	b.b.mu.Unlock()
}
