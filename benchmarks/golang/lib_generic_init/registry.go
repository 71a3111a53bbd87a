// Package registry has variables that are initialised, beside generic code of which copies
// are made, and functions of instances.
package registry

import "sync"

type table struct {
	mu sync.Mutex
	n  int
}

var (
	reg  = &table{}
	hook = func() { reg.n++ } // RACE!
)

// Inc takes the lock.
func Inc() {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	hook()
}

// Get does not.
func Get() int { return reg.n } // RACE!

type box[T any] struct{ v T }

func boxed[T any](v T) *box[T] { return &box[T]{v} }

// Use boxes a pointer.
func Use[T any](p *T) bool { return boxed[*T](p).v == p }

// Counts are by keys.
type Counts[K comparable] struct {
	mu sync.Mutex
	m  map[K]int
	n  int
}

// NewNames makes an instance.
func NewNames() *Counts[string] { return &Counts[string]{m: map[string]int{}} }

func (c *Counts[K]) inc(k K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k]++
	c.n++ // RACE!
}

// Named counts a name.
func Named(c *Counts[string]) { c.inc("x") }

// Size does not take the lock.
func (c *Counts[K]) Size() int { return c.n } // RACE!
