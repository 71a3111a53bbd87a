// Package zero has transactions of two kinds, told apart by a flag that is set where those of one kind are made and never changes: what
// only they do is not done for the others, which hold no lock.
package zero

import "sync"

// Store may be used by several goroutines.
type Store struct {
	mu   sync.Mutex
	n    int
	last *tx
}

type tx struct {
	s     *Store
	write bool
}

// New makes a store.
func New() *Store { return &Store{} }

func (s *Store) begin(write bool) *tx {
	if write {
		return s.beginWrite()
	}
	return s.beginRead()
}

func (s *Store) beginWrite() *tx {
	s.mu.Lock()
	t := &tx{s: s, write: true}
	s.last = t
	return t
}

func (s *Store) beginRead() *tx { return &tx{s: s} }

func (t *tx) end(n int) {
	if t.write {
		t.s.n = n
		t.s.mu.Unlock()
	}
}

// Put changes the number.
func (s *Store) Put(n int) {
	t := s.begin(true)
	t.end(n)
}

// Look does nothing yet.
func (s *Store) Look() {
	t := s.begin(false)
	t.end(0)
}
