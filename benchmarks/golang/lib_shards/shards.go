// Package shards protects its parts one by one.
package shards

import "sync"

type part struct {
	mu sync.Mutex
	m  map[uint64]int
}

// Cache is a cache of several parts.
type Cache struct {
	parts [4]part
	hits  int
}

// New makes a cache.
func New() *Cache {
	c := &Cache{}
	for i := range c.parts {
		c.parts[i].m = map[uint64]int{}
	}
	return c
}

// Get returns a value.
func (c *Cache) Get(h uint64) int {
	p := &c.parts[h%4]
	p.mu.Lock()
	defer p.mu.Unlock()
	c.hits++      // RACE!
	return p.m[h] // NORACE
}

// Set stores a value.
func (c *Cache) Set(h uint64, v int) {
	p := &c.parts[h%4]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[h] = v // NORACE
}
