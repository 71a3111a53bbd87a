// Package table has functions for tables whose keys are strings, beside methods for tables
// of any keys: one table may be given to both.
package table

import "sync"

// Table counts what it is asked.
type Table[K comparable, V any] struct {
	mu    sync.Mutex
	m     map[K]V
	asked int
	keys  []K
	last  K
	first *K
	pair  [2]K
	safe  K
}

// New makes one.
func New[K comparable, V any]() *Table[K, V] {
	return &Table[K, V]{m: map[K]V{}, keys: make([]K, 4), first: new(K)}
}

// NewNamed makes one by names.
func NewNamed[V any]() *Table[string, V] { return New[string, V]() }

// Named changes all of a table by names.
func Named[V any](t *Table[string, V], v V) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m["x"] = v     // RACE!
	t.asked++        // RACE!
	t.keys[1] = "x"  // RACE!
	t.last = "x"     // RACE!
	*t.first = "x"   // RACE!
	t.pair[1] += "x" // RACE!
	t.safe = "x"
}

// Get looks without the lock.
func (t *Table[K, V]) Get(k K) V { return t.m[k] } // RACE!

// Asked does so, too.
func (t *Table[K, V]) Asked() int { return t.asked } // RACE!

// Key does so, too.
func (t *Table[K, V]) Key() K { return t.keys[1] } // RACE!

// Last does so, too.
func (t *Table[K, V]) Last() K { return t.last } // RACE!

// First does so, too.
func (t *Table[K, V]) First() K { return *t.first } // RACE!

// Second does so, too.
func (t *Table[K, V]) Second() K { return t.pair[1] } // RACE!

// Safe takes it.
func (t *Table[K, V]) Safe() K {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.safe
}
