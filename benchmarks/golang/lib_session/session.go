// Package session has a store whose transactions belong to the goroutine that began them; those that write hold a lock until they end.
package session

import (
	"errors"
	"sync"
)

// Store is a store.
type Store struct {
	rw    sync.Mutex
	data  sync.RWMutex
	n     int
	items map[string]int
}

// New makes a store.
func New() *Store { return &Store{items: map[string]int{}} }

// Tx is a transaction.
type Tx struct {
	s        *Store
	writable bool
	steps    int
	log      []string
}

var errEnded = errors.New("ended")

// Begin begins a transaction.
func (s *Store) Begin(writable bool) (*Tx, error) {
	if writable {
		return s.beginWrite()
	}
	return s.beginRead()
}

func (s *Store) beginWrite() (*Tx, error) {
	s.rw.Lock()
	t := &Tx{s: s, writable: true}
	return t, nil
}

func (s *Store) beginRead() (*Tx, error) {
	s.data.RLock()
	t := &Tx{s: s}
	return t, nil
}

// Add changes the store.
func (t *Tx) Add(k int) error {
	if t.s == nil {
		return errEnded
	}
	if !t.writable {
		return errEnded
	}
	t.steps++                    // NORACE: the transaction belongs to one goroutine
	t.log = append(t.log, "add") // NORACE
	t.s.n += k                   // NORACE: who writes holds the lock
	return nil
}

// Each goes through what was done.
func (t *Tx) Each() int {
	done := make(chan int)
	go func() {
		defer close(done)
		done <- t.steps // NORACE
	}()
	n := 0
	for k := range done {
		n += k
	}
	return n
}

// Get reads an item.
func (t *Tx) Get(k string) int {
	if t.s == nil || t.writable {
		return 0
	}
	t.steps++           // NORACE
	return t.s.items[k] // NORACE: who reads holds the lock shared
}

// Commit ends a transaction that writes.
func (t *Tx) Commit() {
	if t.s == nil || !t.writable {
		return
	}
	s := t.s
	s.data.Lock()
	s.items["n"] = s.n // NORACE
	s.data.Unlock()
	t.s = nil // NORACE
	s.rw.Unlock()
}

// Rollback ends a transaction that reads.
func (t *Tx) Rollback() {
	if t.s == nil || t.writable {
		return
	}
	s := t.s
	t.s = nil // NORACE
	s.data.RUnlock()
}

// Update runs a function in a transaction that writes.
func (s *Store) Update(f func(*Tx) error) error {
	t, err := s.Begin(true)
	if err != nil {
		return err
	}
	err = f(t)
	t.Commit()
	return err
}

// Sum reads the sum.
func (s *Store) Sum() int {
	s.rw.Lock()
	defer s.rw.Unlock()
	return s.n // NORACE
}
