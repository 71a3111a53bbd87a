// Package walk has transactions that hold one of two locks until their end, by the flag that they are begun with; what they do is recursive.
package walk

import "sync"

// Store is a store.
type Store struct {
	rw   sync.Mutex
	data sync.RWMutex
	n    int
	sum  int
}

// New makes a store.
func New() *Store { return &Store{} }

// Tx is a transaction.
type Tx struct {
	s        *Store
	writable bool
}

// Begin begins a transaction.
func (s *Store) Begin(writable bool) *Tx {
	if writable {
		s.rw.Lock()
		return &Tx{s: s, writable: true}
	}
	s.data.RLock()
	return &Tx{s: s}
}

// Add changes the store, n times.
func (t *Tx) Add(n int) {
	if t.s == nil || !t.writable {
		return
	}
	if n > 0 {
		t.Add(n - 1)
	}
	t.s.n++ // NORACE: a transaction that reads is not writable
}

// Sum reads what was committed, n times.
func (t *Tx) Sum(n int) int {
	if t.s == nil || t.writable {
		return 0
	}
	if n > 0 {
		return t.Sum(n - 1)
	}
	return t.s.sum // NORACE
}

// Steps starts to watch the transaction.
func (t *Tx) Steps() {
	go func() {}()
}

// Commit ends a transaction that writes.
func (t *Tx) Commit() {
	if t.s == nil || !t.writable {
		return
	}
	t.s.data.Lock()
	t.s.sum = t.s.n // NORACE
	t.s.data.Unlock()
	t.s.rw.Unlock()
	t.s = nil // NORACE
}

// Rollback ends a transaction that reads.
func (t *Tx) Rollback() {
	if t.s == nil || t.writable {
		return
	}
	t.s.data.RUnlock()
	t.s = nil // NORACE
}
