// A shared mutex through a pointer.
package main

import "sync"

type counter struct {
	mu *sync.Mutex
	n  int
}

func (c *counter) inc() {
	c.mu.Lock()
	c.n++ // NORACE
	c.mu.Unlock()
}

func main() {
	mu := &sync.Mutex{}
	c := &counter{mu: mu}
	go c.inc()
	c.inc()
	mu.Lock()
	println(c.n) // NORACE
	mu.Unlock()
}
