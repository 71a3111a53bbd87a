// A leader writes the journal as long as its lease lasts, which it looks up before each write. If it is held up between the look-up and the
// write until the lease has run out, the successor writes, too. The lease is two seconds, the leader resigns after milliseconds.
package main

import (
	"sync"
	"time"
)

type cluster struct {
	mu      sync.Mutex
	leader  int
	until   time.Time
	journal int
}

func (c *cluster) acquire(id int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leader != 0 && c.leader != id && time.Now().Before(c.until) { // NORACE
		return false
	}
	c.leader, c.until = id, time.Now().Add(2*time.Second) // NORACE
	return true
}

func (c *cluster) resign() {
	c.mu.Lock()
	c.leader = 0 // NORACE
	c.mu.Unlock()
}

func (c *cluster) lead(id int) {
	for !c.acquire(id) {
		time.Sleep(time.Millisecond)
	}
	c.journal += id // RACE!
	c.resign()
}

func main() {
	c := new(cluster)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		c.lead(1)
	}()
	go func() {
		defer wg.Done()
		c.lead(2)
	}()
	wg.Wait()
	println(c.journal) // NORACE
}
