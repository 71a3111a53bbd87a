// Package sets_promoted is a library. Its users set a member that is promoted.
package sets_promoted

import "sync"

var mu sync.Mutex
var n int

type base struct {
	Mu *sync.Mutex
}

// S is for concurrent use.
type S struct {
	base
	k sync.Mutex
}

// New makes one.
func New() *S { return &S{base: base{Mu: &mu}} }

// Inc is for concurrent use.
func (s *S) Inc() {
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
