// A home-made group: counts under a lock, waits by a channel.
package main

import "sync"

type group struct {
	mu   sync.Mutex
	n    int
	err  error
	done chan struct{}
}

func (g *group) run(f func() error) {
	g.mu.Lock()
	g.n++ // NORACE
	g.mu.Unlock()
	go func() {
		err := f()
		g.mu.Lock()
		if err != nil {
			g.err = err // NORACE
		}
		g.n-- // NORACE
		if g.n == 0 {
			close(g.done)
		}
		g.mu.Unlock()
	}()
}

func main() {
	g := &group{done: make(chan struct{})}
	x := 0
	g.run(func() error { x = 1; return nil }) // NORACE
	<-g.done
	println(x) // NORACE
}
