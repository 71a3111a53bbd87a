// Package value has constructors that return values, and no pointers.
package value

import "sync"

type state struct{ n int }

var (
	mu     sync.Mutex
	shared state
)

// Counter is for concurrent use.
type Counter struct {
	mu sync.Mutex
	p  *state
}

// NewCounter makes one, of the state that all have.
func NewCounter() Counter { return Counter{p: &shared} }

// Inc counts, under the counter's own lock.
func (c *Counter) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p != nil {
		c.p.n++ // RACE!
	}
}

// Total is what was counted, under another lock.
func Total() int {
	mu.Lock()
	defer mu.Unlock()
	return shared.n // RACE!
}

// Table is for concurrent use.
type Table struct {
	mu sync.Mutex
	m  map[string]int
}

// NewTable makes one with a map.
func NewTable() Table { return Table{m: map[string]int{}} }

// Add writes the map.
func (t *Table) Add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k]++ // RACE!
}

// Len reads it without the lock.
func (t *Table) Len() int { return len(t.m) } // RACE!
