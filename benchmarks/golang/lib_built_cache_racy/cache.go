// Package cache: what was found under the lock is changed after it. And a lock that another
// goroutine releases keeps nobody out.
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
	return c.now
}

// New starts a cache of a size.
func New(size int) *Builder { return &Builder{size: size} }

// Evicted is called with what goes.
func (b *Builder) Evicted(f func(k, v any)) *Builder {
	b.evicted = f
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
	it, ok := c.items[k]
	if ok {
		it.value = v
	} else {
		if len(c.items) >= c.size {
			for old, x := range c.items {
				delete(c.items, old)
				if c.evicted != nil {
					c.evicted(old, x.value)
				}
				break
			}
		}
		it = &item{clock: c.clock, value: v}
		c.items[k] = it
	}
	return it, nil
}

func (c *simple) Touch(k any) error {
	c.mu.Lock()
	it, err := c.set(k, nil)
	c.mu.Unlock()
	if err != nil {
		return err
	}
	it.uses++ // RACE!
	t := it.clock.Now()
	it.at = &t // RACE!
	return nil
}

func (c *simple) Get(k any) (any, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if it, ok := c.items[k]; ok {
		return it.value, nil
	}
	return nil, errors.New("not there")
}

// Len may be called by who is told what goes: it waits for ever then.
func (c *simple) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.items)
}

// Gate has a lock that a goroutine gives back for who took it.
type Gate struct {
	mu sync.Mutex
	n  int
}

// Pass takes the lock twice: in between, the goroutine releases it.
func (g *Gate) Pass() {
	g.mu.Lock()
	go func() {
		g.mu.Unlock()
		g.mu.Lock()
		g.mu.Unlock()
	}()
	g.mu.Lock()
	g.mu.Unlock()
	g.n++ // RACE!
}
