// Package cache has a map behind an RWMutex; Len forgets it.
package cache

import "sync"

// Cache is a cache.
type Cache[K comparable, V any] struct {
	mu      sync.RWMutex
	items   map[K]*entry[V]
	onEvict func(K, V)
}

type entry[V any] struct {
	v    V
	hits int
}

// New makes a cache.
func New[K comparable, V any](onEvict func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{items: map[K]*entry[V]{}, onEvict: onEvict}
}

// Get returns a value.
func (c *Cache[K, V]) Get(k K) (V, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.items[k] // NORACE
	if !ok {
		var zero V
		return zero, false
	}
	e.hits++         // RACE!
	return e.v, true // NORACE
}

// Set stores a value.
func (c *Cache[K, V]) Set(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.items[k]; ok && c.onEvict != nil { // NORACE
		c.onEvict(k, old.v)
	}
	c.items[k] = &entry[V]{v: v} // RACE!
}

// Len returns the number of values.
func (c *Cache[K, V]) Len() int {
	return len(c.items) // RACE!
}
