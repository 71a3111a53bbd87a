// Package unlocked has parts with a lock each, one of whose maps is used after the unlock.
package unlocked

import "sync"

type part struct {
	mu sync.Mutex
	m  map[uint64]int
}

// Cache is a cache of several parts.
type Cache struct {
	parts []*part
}

// New makes a cache.
func New(n int) *Cache {
	c := &Cache{}
	for i := 0; i < n; i++ {
		c.parts = append(c.parts, &part{m: map[uint64]int{}})
	}
	return c
}

// Get returns a value.
func (c *Cache) Get(h uint64) int {
	p := c.parts[h%4]
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[h] // RACE!
}

// Len counts.
func (c *Cache) Len(h uint64) int {
	p := c.parts[h%4]
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.m) // RACE!
}

// Set stores a value.
func (c *Cache) Set(h uint64, v int) {
	p := c.parts[h%4]
	p.mu.Lock()
	m := p.m
	p.mu.Unlock()
	m[h] = v // RACE!
}

// Reset makes a part empty: the old map is left to who still has it.
func (c *Cache) Reset(h uint64) {
	p := c.parts[h%4]
	p.mu.Lock()
	p.m = map[uint64]int{} // NORACE
	p.mu.Unlock()
}
