// Package called gives functions that have captured its object to others that run them:
// the object is in the function value, and what it leads to is protected by its lock.
package called

import "sync"

type item struct{ n int }

// Getter is what users have of a cache.
type Getter interface {
	Get(k string) (int, error)
	Len() int
}

// Builder makes caches.
type Builder struct{ size int }

// NewBuilder makes one.
func NewBuilder(size int) *Builder { return &Builder{size} }

// Build makes a cache.
func (b *Builder) Build() Getter {
	c := &cache{items: map[string]*item{}}
	c.size = b.size
	c.group.c = c
	return c
}

type base struct {
	mu    sync.RWMutex
	loads int
	size  int
	group Group
}

type cache struct {
	base
	items map[string]*item
}

func (c *cache) set(k string, n int) *item {
	it := c.items[k]
	if it == nil {
		it = &item{}
		c.items[k] = it // NORACE
	}
	it.n = n // NORACE
	return it
}

func (c *base) load(k string, then func(n int, err error) (int, error)) (int, error) {
	return c.group.Once(func() (int, error) { return then(c.size, nil) })
}

// Group counts what it calls.
type Group struct {
	mu sync.Mutex
	c  Getter
	n  int
}

// Once calls one function.
func (g *Group) Once(f func() (int, error)) (int, error) {
	g.mu.Lock()
	g.n++ // NORACE
	g.mu.Unlock()
	return f()
}

// Get loads what is not there.
func (c *cache) Get(k string) (int, error) {
	return c.load(k, func(n int, err error) (int, error) {
		if err != nil {
			return 0, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.loads++ // NORACE
		return c.set(k, n).n, nil
	})
}

// Len counts.
func (c *cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.items) + c.loads // NORACE
}
