// Package lib hands out functions: in structs, in slices, as handlers, and iterators.
package lib

import (
	"iter"
	"net/http"
	"slices"
	"sync"
)

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
	xs []int
}

// New makes one.
func New() *Counter { return &Counter{xs: make([]int, 3)} }

// Ops are operations on one.
type Ops struct {
	Inc  func()
	Safe func()
}

// Ops returns its operations.
func (c *Counter) Ops() *Ops {
	return &Ops{
		Inc: func() {
			c.n++ // RACE!
		},
		Safe: func() {
			c.mu.Lock()
			c.n++ // RACE!
			c.mu.Unlock()
		},
	}
}

// All returns some.
func (c *Counter) All() []func() {
	return []func(){func() {
		c.n++ // RACE!
	}}
}

// Wrap counts requests.
func (c *Counter) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.n++             // RACE!
		h.ServeHTTP(w, r) // NORACE: each request has its own
	})
}

// N is how many there were.
func (c *Counter) N() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n // RACE!
}

// Values goes through the numbers, after the lock is given back.
func (c *Counter) Values() iter.Seq[int] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Values(c.xs) // RACE!
}

// Set changes one.
func (c *Counter) Set(i, x int) {
	c.mu.Lock()
	c.xs[i] = x // RACE!
	c.mu.Unlock()
}
