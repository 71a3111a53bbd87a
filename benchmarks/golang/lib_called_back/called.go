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

// New makes one.
func New() Getter { return &cache{items: map[string]*item{}} }

type cache struct {
	mu    sync.Mutex
	items map[string]*item
	loads int
	group Group
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

func (c *cache) load(k string, then func(n int, err error) (int, error)) (int, error) {
	return c.group.Once(func() (int, error) { return then(len(k), nil) })
}

// Group counts what it calls.
type Group struct {
	mu sync.Mutex
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
