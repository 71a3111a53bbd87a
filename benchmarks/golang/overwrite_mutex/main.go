// A mutex is made anew while another goroutine uses it.
package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) inc() {
	c.mu.Lock()   // RACE!
	c.n++         // UNSEEN: that a lock is not overwritten while it is held is the assumption lock-discipline; the overwriting is reported
	c.mu.Unlock() // RACE!
}

func main() {
	c := new(counter)
	done := make(chan bool)
	go func() {
		c.inc()
		close(done)
	}()
	c.mu = sync.Mutex{} // RACE!
	c.inc()
	<-done
}
