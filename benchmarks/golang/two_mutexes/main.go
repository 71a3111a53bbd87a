// Different locks.
package main

import "sync"

type pair struct {
	a, b sync.Mutex
	n    int
}

func main() {
	p := &pair{}
	go func() {
		p.a.Lock()
		p.n++ // RACE!
		p.a.Unlock()
	}()
	p.b.Lock()
	p.n++ // RACE!
	p.b.Unlock()
}
