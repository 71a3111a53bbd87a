// Package kept has boxes that get copies of what others have.
package kept

import "sync"

// Box is ready by New.
type Box struct {
	mu sync.Mutex
	s  []int
	n  int
}

// New makes a box.
func New() *Box { return &Box{s: make([]int, 4)} }

// Set sets an element.
func (b *Box) Set(i, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.s[i] = v // NORACE
	b.n++      // NORACE
}

// Add adds the counts of o.
func (b *Box) Add(o *Box) {
	o.mu.Lock()
	n := o.n // NORACE
	o.mu.Unlock()
	b.mu.Lock()
	b.n += n // NORACE
	b.mu.Unlock()
}
