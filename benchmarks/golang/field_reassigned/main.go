// A field holds one of two objects.
package main

import "sync"

type box struct {
	mu sync.Mutex
	n  int
}

type holder struct{ b *box }

func main() {
	x, y := &box{}, &box{}
	h := &holder{b: x}
	go func() {
		x.mu.Lock()
		y.n++ // RACE!
		x.mu.Unlock()
	}()
	h.b = y
	h.b.mu.Lock()
	h.b.n++ // RACE!
	h.b.mu.Unlock()
}
