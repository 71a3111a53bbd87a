// Package value has a constructor that returns a value, and the lock is always held.
package value

import "sync"

// Table is for concurrent use.
type Table struct {
	mu sync.Mutex
	n  int
	m  map[string]int
}

// NewTable makes one with a map.
func NewTable() Table { return Table{m: map[string]int{}} }

// Add writes the map.
func (t *Table) Add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++    // NORACE
	t.m[k]++ // NORACE
}

// Len reads it under the lock.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.m) + t.n // NORACE
}
