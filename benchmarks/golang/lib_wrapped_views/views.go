// Package views returns structs with what it keeps in exported members.
package views

import "sync"

// Store may be used concurrently.
type Store struct {
	mu    sync.Mutex
	rows  []int
	names map[string]int
}

// View is a part of a store.
type View struct {
	Total int
	Rows  []int
}

// Names are the names of a store.
type Names struct{ Known map[string]int }

// New makes a store.
func New() *Store { return &Store{rows: make([]int, 4), names: map[string]int{}} }

// Set sets a row.
func (s *Store) Set(i, n int) {
	s.mu.Lock()
	s.rows[i&3] = n // RACE!
	s.mu.Unlock()
}

// View returns the rows, which others go on changing.
func (s *Store) View() View { // RACE!
	s.mu.Lock()
	defer s.mu.Unlock()
	return View{Total: len(s.rows), Rows: s.rows}
}

// Name adds a name.
func (s *Store) Name(k string) {
	s.mu.Lock()
	s.names[k]++ // RACE!
	s.mu.Unlock()
}

// Names returns the names, which others go on changing.
func (s *Store) Names() *Names { // RACE!
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Names{s.names}
}
