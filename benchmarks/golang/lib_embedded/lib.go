// Package set locks by an embedded mutex, which its users may take themselves.
package set

import "sync"

// Set is a set of strings.
type Set struct {
	sync.Mutex
	m map[string]struct{}
}

// New makes a set.
func New() *Set { return &Set{m: map[string]struct{}{}} }

// Add adds a member.
func (s *Set) Add(v string) {
	s.Lock()
	s.m[v] = struct{}{} // RACE!
	s.Unlock()
}

// Has asks for a member.
func (s *Set) Has(v string) bool {
	_, ok := s.m[v] // RACE!
	return ok
}

// Drop removes a member.
func (s *Set) Drop(v string) {
	s.Lock()
	defer s.Unlock()
	delete(s.m, v) // RACE!
}
