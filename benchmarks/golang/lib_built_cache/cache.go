// Package cache has caches that a builder makes. What a cache's map leads to is protected
// by the lock of that cache, also where a function returns it with an error beside it, and
// where users' functions are called under the lock.
package cache

import (
	"errors"
	"sync"
)

// Cache is what a builder makes.
type Cache interface {
	Set(k, v any) error
	Touch(k any) error
	Get(k any) (any, error)
	Len() int
}

// Builder has what a cache is made with.
type Builder struct {
	size    int
	evicted func(k, v any)
}

// Clock tells the time; a fake one has a lock.
type Clock interface{ Now() int64 }

type fakeClock struct {
	mu  sync.Mutex
	now int64
}

// NewFakeClock returns a clock that stands still.
func NewFakeClock() Clock { return &fakeClock{} }

func (c *fakeClock) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now // NORACE
}

// New starts a cache of a size.
func New(size int) *Builder { return &Builder{size: size} }

// Evicted is called with what goes.
func (b *Builder) Evicted(f func(k, v any)) *Builder {
	b.evicted = f // NORACE
	return b
}

// Build makes the cache.
func (b *Builder) Build() Cache {
	c := &simple{}
	c.size, c.evicted, c.clock = b.size, b.evicted, NewFakeClock()
	c.items = map[any]*item{}
	return c
}

type item struct {
	clock Clock
	value any
	uses  int
	at    *int64
}

type simple struct {
	mu      sync.RWMutex
	size    int
	evicted func(k, v any)
	clock   Clock
	items   map[any]*item
}

func (c *simple) Set(k, v any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.set(k, v)
	return err
}

func (c *simple) set(k, v any) (*item, error) {
	if c.size < 0 {
		return nil, errors.New("no room")
	}
	it, ok := c.items[k] // NORACE
	if ok {
		it.value = v // NORACE
	} else {
		if len(c.items) >= c.size { // NORACE
			for old, x := range c.items { // NORACE
				delete(c.items, old) // NORACE
				if c.evicted != nil {
					c.evicted(old, x.value) // NORACE
				}
				break
			}
		}
		it = &item{clock: c.clock, value: v}
		c.items[k] = it // NORACE
	}
	return it, nil
}

func (c *simple) Touch(k any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	it, err := c.set(k, nil)
	if err != nil {
		return err
	}
	it.uses++ // NORACE
	t := it.clock.Now()
	it.at = &t // NORACE
	return nil
}

func (c *simple) Get(k any) (any, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if it, ok := c.items[k]; ok { // NORACE
		return it.value, nil // NORACE
	}
	return nil, errors.New("not there")
}

// Len may be called by who is told what goes: it waits for ever then.
func (c *simple) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.items) // NORACE
}
