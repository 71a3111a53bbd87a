// Package boxes hands values of type any to a callback from outside: who has an interface cannot change the value in it.
package boxes

import "sync"

// Cache keeps values of any type.
type Cache struct {
	mu      sync.Mutex
	items   map[string]any
	evicted func(string, any)
	seen    *int
}

// New makes a cache.
func New() *Cache { return &Cache{items: map[string]any{}} }

// OnEvicted sets the callback.
func (c *Cache) OnEvicted(f func(string, any)) {
	c.mu.Lock()
	c.evicted = f // RACE!
	c.mu.Unlock()
}

// Set stores a number.
func (c *Cache) Set(k string, n int) {
	c.mu.Lock()
	c.items[k] = n // NORACE
	c.mu.Unlock()
}

// Add adds to a number.
func (c *Cache) Add(k string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.items[k].(int); ok { // NORACE
		c.items[k] = v + n // NORACE
	}
}

// Keep stores a pointer to a counter that others see, too.
func (c *Cache) Keep(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = new(int)
	c.items[k] = c.seen // NORACE
}

// Delete removes a value.
func (c *Cache) Delete(k string) {
	c.mu.Lock()
	v := c.items[k] // NORACE
	delete(c.items, k)
	c.mu.Unlock()
	if c.evicted != nil { // RACE!
		c.evicted(k, v) // RACE!
	}
}

// Count counts what is kept.
func (c *Cache) Count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.seen++      // RACE!
	return *c.seen // UNSEEN: the callback is taken not to write what an interface leads to (open-calls)
}
