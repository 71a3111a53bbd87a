// Package sets_member is a library. Its users set a member of a type that they cannot name.
package sets_member

import "sync"

var mu sync.Mutex
var n int

type s struct {
	Mu *sync.Mutex
}

// New makes one.
func New() *s { return &s{Mu: &mu} }

// Inc is for concurrent use.
func (s *s) Inc() {
	s.Mu.Lock()
	n++ // RACE!
	s.Mu.Unlock()
}

// Other is for concurrent use.
func Other() {
	mu.Lock()
	n++ // RACE!
	mu.Unlock()
}
