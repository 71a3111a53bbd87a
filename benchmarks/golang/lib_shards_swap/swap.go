// Package swap has parts with a lock each; maps wander from one part to another.
package swap

import "sync"

type part struct {
	mu sync.Mutex
	m  map[uint64]int
}

// Cache is a cache of several parts.
type Cache struct {
	parts [4]part
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
	return p.m[h] // RACE!
}

// Set stores a value.
func (c *Cache) Set(h uint64, v int) {
	p := &c.parts[h%4]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[h] = v // RACE!
}

// Share lets two parts use one map.
func (c *Cache) Share(a, b uint64) {
	p, q := &c.parts[a%4], &c.parts[b%4]
	p.mu.Lock()
	m := p.m
	p.mu.Unlock()
	q.mu.Lock()
	q.m = m // NORACE
	q.mu.Unlock()
}
