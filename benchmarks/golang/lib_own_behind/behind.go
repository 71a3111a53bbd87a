// Package behind has an interface, and a type that users may put behind it, which the
// package itself does not do.
package behind

import "sync"

// Doer does something.
type Doer interface{ Do() int }

// Base is a Doer.
type Base struct{ n int }

// Do counts.
func (b *Base) Do() int {
	b.n++ // RACE!
	return 0
}

// Set is a set of Doers.
type Set struct {
	mu sync.Mutex
	ds []Doer
}

// Add adds one.
func (s *Set) Add(d Doer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ds = append(s.ds, d) // NORACE: each Set has its own array, whatever the Doers are
}

// Run runs the first.
func (s *Set) Run() int {
	s.mu.Lock()
	d := s.ds[0] // NORACE
	s.mu.Unlock()
	return d.Do()
}
