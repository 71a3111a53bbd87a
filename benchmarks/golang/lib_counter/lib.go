// Package counter is right.
package counter

import (
	"sync"
	"sync/atomic"
)

// Counter counts.
type Counter struct {
	mu    sync.Mutex
	byKey map[string]int
	total atomic.Int64
}

// Inc counts one.
func (c *Counter) Inc(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil { // NORACE
		c.byKey = map[string]int{} // NORACE
	}
	c.byKey[key]++ // NORACE
	c.total.Add(1)
}

// Get returns a count.
func (c *Counter) Get(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key] // NORACE
}

// Total returns the sum.
func (c *Counter) Total() int64 { return c.total.Load() }
