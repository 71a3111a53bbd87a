// Package linked has functions that get two values and leave each what it has.
package linked

import (
	"maps"
	"sync"
)

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
	c.m[k]++
	c.mu.Unlock()
}

func (c *Counts) sum() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, v := range c.m {
		n += v
	}
	return n
}

// Sum sums both.
func Sum(a, b *Counts) int { return a.sum() + b.sum() }

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
	l.m[k]++
	l.mu.Unlock()
}

// Table is a table at some time.
type Table struct{ Levels map[int]int }

// Table copies the levels.
func (l *Levels) Table() Table {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Table{Levels: maps.Clone(l.m)}
}
