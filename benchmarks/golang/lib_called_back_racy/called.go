// Package called gives functions that have captured a variable which changes afterwards to
// others that run them: the lock is that of another object.
package called

import "sync"

// Cache counts.
type Cache struct {
	mu    sync.Mutex
	loads int
}

// New makes one.
func New() *Cache { return &Cache{} }

func run(f func()) { f() }

// Get locks what is in the variable when the function runs.
func (c *Cache) Get() {
	p := c
	f := func() {
		p.mu.Lock()
		c.loads++ // RACE!
		p.mu.Unlock()
	}
	p = &Cache{}
	run(f)
}

// Each has a lock of its own in each iteration.
func (c *Cache) Each(n int) {
	for i := 0; i < n; i++ {
		p := &Cache{}
		run(func() {
			p.mu.Lock()
			c.loads++ // RACE!
			p.mu.Unlock()
		})
	}
}
