// A helper runs a function under the lock.
package main

import "sync"

type guarded struct {
	mu sync.Mutex
	n  int
}

func (g *guarded) with(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
}

func main() {
	g := &guarded{}
	go g.with(func() { g.n++ }) // NORACE
	g.with(func() { g.n-- })    // NORACE
}
