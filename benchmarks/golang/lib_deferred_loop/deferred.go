// Package deferred defers calls of its own methods in loops, under its lock.
package deferred

import "sync"

type item struct{ n int }

// Cache has a bound.
type Cache interface {
	Set(k string, n int)
	Clear()
}

type cache struct {
	size int

	mu    sync.Mutex
	items map[string]*item
	out   int
}

// Builder makes caches.
type Builder struct{ size int }

// NewBuilder makes one.
func NewBuilder(size int) *Builder { return &Builder{size} }

// Build makes a cache.
func (b *Builder) Build() Cache {
	return &cache{items: map[string]*item{}, size: b.size}
}

func (c *cache) remove(k string) {
	if it := c.items[k]; it != nil {
		delete(c.items, k) // NORACE
		c.out += it.n      // NORACE
	}
}

func (c *cache) evict(n int) {
	for k := range c.items {
		if n--; n < 0 {
			return
		}
		defer c.remove(k)
	}
}

// Set puts something in.
func (c *cache) Set(k string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.items) > 10 {
		c.evict(2)
	}
	c.items[k] = &item{n} // NORACE
}

// Clear takes all out: the last deferred call gives the lock back.
func (c *cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.items {
		defer c.remove(k)
	}
}
