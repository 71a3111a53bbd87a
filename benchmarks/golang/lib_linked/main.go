// Package linked has functions, and no methods, that make two values lead to one map: what
// the methods then do to it is not protected by the lock of one value.
package linked

import "sync"

// Counts may be used concurrently.
type Counts struct {
	mu sync.Mutex
	m  map[string]int
}

// New makes counts.
func New() *Counts { return &Counts{m: map[string]int{}} }

// Add adds one.
func (c *Counts) Add(k string) {
	c.mu.Lock()
	c.m[k]++ // RACE!
	c.mu.Unlock()
}

// Link makes both use the map of the second.
func Link(a, b *Counts) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	a.m = b.m
}

// Levels may be used concurrently.
type Levels struct {
	mu sync.Mutex
	m  map[int]int
}

// NewLevels makes levels.
func NewLevels() *Levels { return &Levels{m: map[int]int{}} }

// Raise raises a level.
func (l *Levels) Raise(k int) {
	l.mu.Lock()
	l.m[k]++ // RACE!
	l.mu.Unlock()
}

func (l *Levels) get() map[int]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.m
}

func (l *Levels) set(m map[int]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m = m
}

// Share shares levels, for a reason.
func Share(reason string, to, from *Levels) { to.set(from.get()) }
