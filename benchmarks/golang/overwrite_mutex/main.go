// A mutex is made anew while another goroutine uses it.
package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func main() {
	c := new(counter)
	done := make(chan bool)
	go func() {
		c.mu.Lock()   // RACE!
		c.n++         // UNSEEN: that a lock is not overwritten while it is held is the assumption lock-discipline; the overwriting is reported
		c.mu.Unlock() // RACE!
		close(done)
	}()
	c.mu = sync.Mutex{} // RACE!
	c.mu.Lock()
	c.n++ // UNSEEN: that a lock is not overwritten while it is held is the assumption lock-discipline; the overwriting is reported
	c.mu.Unlock()
	<-done
}
