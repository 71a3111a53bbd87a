// Package sets_member_ok is a library. Its users cannot set the member.
package sets_member_ok

import "sync"

var mu sync.Mutex
var n int

type s struct {
	mu *sync.Mutex
}

// New makes one.
func New() *s { return &s{mu: &mu} }

// Inc is for concurrent use.
func (s *s) Inc() {
	s.mu.Lock()
	n++ // NORACE
	s.mu.Unlock()
}

// Other is for concurrent use.
func Other() {
	mu.Lock()
	n++ // NORACE
	mu.Unlock()
}
