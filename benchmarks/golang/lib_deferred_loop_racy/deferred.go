// Package deferred defers calls in loops that run without the lock, or on another object.
package deferred

import "sync"

// Cache counts.
type Cache struct {
	mu  sync.Mutex
	out int
}

// New makes one.
func New() *Cache { return &Cache{} }

func (c *Cache) count() {
	c.out++ // RACE!
}

func (c *Cache) add() {
	c.out++ // RACE!
}

// Late runs what it has deferred when the lock is free again.
func (c *Cache) Late(n int) {
	for i := 0; i < n; i++ {
		defer c.count()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
}

// Other defers a call on one object after the other, and holds the lock of one of them.
func (c *Cache) Other(n int) {
	o := &Cache{}
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o
	for i := 0; i < n; i++ {
		defer p.add()
		p = c
	}
}
