// Package session has a store whose transactions belong to the goroutine that began them, but what they do to the store is not all under its locks.
package session

import "sync"

// Store is a store.
type Store struct {
	rw    sync.Mutex
	n     int
	hits  int
	ended int
	items map[string]int
}

// New makes a store.
func New() *Store { return &Store{items: map[string]int{}} }

// Tx is a transaction.
type Tx struct {
	s     *Store
	steps int
}

// Begin begins a transaction.
func (s *Store) Begin() *Tx {
	s.rw.Lock()
	t := &Tx{s: s}
	return t
}

// Peek gives a function a transaction that holds no lock.
func (s *Store) Peek(f func(*Tx) int) int {
	t := &Tx{s: s}
	return f(t)
}

// Add changes the store.
func (t *Tx) Add(k int) {
	t.steps++  // NORACE: the transaction belongs to one goroutine
	t.s.n += k // RACE!
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

// Commit ends a transaction.
func (t *Tx) Commit() {
	s := t.s
	s.rw.Unlock()
	s.ended++ // RACE!
}

// Hits changes what Begin does not protect.
func (s *Store) Hits() int {
	s.hits++      // RACE!
	return s.hits // RACE!
}
