// Package two calls the methods of a type on a receiver of its own, too.
package two

import "sync"

// Table is a map with a lock.
type Table struct {
	mu sync.Mutex
	m  map[string]int
	n  int
}

// NewTable makes a table.
func NewTable() *Table { return &Table{m: map[string]int{}} }

// Set stores a value.
func (t *Table) Set(k string, v int) {
	t.mu.Lock()
	t.m[k] = v // NORACE
	t.mu.Unlock()
	t.n++ // RACE!
}

// Get returns a value.
func (t *Table) Get(k string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[k] // NORACE
}

// Reset forgets all.
func (t *Table) Reset() {
	other := &Table{m: map[string]int{}}
	other.Set("reset", 1)
	t.mu.Lock()
	t.m = map[string]int{} // NORACE
	t.mu.Unlock()
}
