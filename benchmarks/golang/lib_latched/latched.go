// Package latched has transactions that hold the lock of their store from their begin to their end, and know by a pointer that only
// ever becomes nil whether they have ended: what is deferred does nothing then.
package latched

import (
	"errors"
	"sync"
)

// ErrClosed is returned for transactions that have ended.
var ErrClosed = errors.New("closed")

// Store may be used by several goroutines.
type Store struct {
	mu   sync.Mutex
	n    int
	undo int
	cur  *tx
}

type tx struct {
	s     *Store
	write bool
}

// New makes a store.
func New() *Store { return &Store{} }

func (s *Store) begin(write bool) (*tx, error) {
	s.mu.Lock()
	if s.cur != nil {
		s.mu.Unlock()
		return nil, ErrClosed
	}
	t := &tx{write: write}
	t.init(s)
	s.cur = t
	return t, nil
}

func (t *tx) init(s *Store) { t.s = s }

// close ends a transaction.
func (t *tx) close() {
	if t.s == nil {
		return
	}
	t.s.cur = nil
	t.s.mu.Unlock()
	t.s = nil
}

func (t *tx) rollback() {
	if t.s == nil {
		return
	}
	if t.write {
		t.s.n = t.s.undo
	}
	t.close()
}

func (t *tx) commit(n int) error {
	if t.s == nil {
		return ErrClosed
	} else if !t.write {
		return ErrClosed
	}
	if n < 0 {
		t.rollback()
		return ErrClosed
	}
	t.s.undo, t.s.n = t.s.n, n
	t.close()
	return nil
}

// Update changes the number.
func (s *Store) Update(f func(int) (int, error)) error {
	t, err := s.begin(true)
	if err != nil {
		return err
	}
	defer func() {
		if t.s != nil {
			t.rollback()
		}
	}()
	n, err := f(t.s.n)
	if err != nil {
		t.rollback()
		return err
	}
	return t.commit(n)
}

// Writing reports whether a transaction that writes is going on.
func (s *Store) Writing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur != nil && s.cur.write
}
