// Package sets_promoted_ok is a library. Its users cannot set the member.
package sets_promoted_ok

import "sync"

var mu sync.Mutex
var n int

type base struct {
	mu *sync.Mutex
}

// S is for concurrent use.
type S struct {
	base
	k sync.Mutex
}

// New makes one.
func New() *S { return &S{base: base{mu: &mu}} }

// Inc is for concurrent use.
func (s *S) Inc() {
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
