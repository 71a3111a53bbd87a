// The mutex is copied with its receiver, so that it protects nothing.
package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  *int
}

func (c counter) inc() {
	c.mu.Lock()
	*c.n++ // RACE!
	c.mu.Unlock()
}

func main() {
	n := 0
	c := counter{n: &n}
	go c.inc()
	c.inc()
}
