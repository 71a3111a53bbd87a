// Package later looks at a flag of an object before it sets the flag, all before others know the object: what the first look decided
// says nothing of the second one.
package later

import "sync"

// Store may be used by several goroutines.
type Store struct {
	mu   sync.Mutex
	n    int
	last *tx
	also sync.Mutex
}

type tx struct {
	write bool
}

// Put counts without the lock.
func (s *Store) Put() {
	t := &tx{}
	if t.write {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	t.write = true
	s.also.Lock()
	s.last = t
	s.also.Unlock()
	if t.write {
		s.n++ // RACE!
		s.also.Lock()
		s.last = nil
		s.also.Unlock()
	}
}

// Writes reports whether the last object has its flag.
func (s *Store) Writes() bool {
	s.also.Lock()
	defer s.also.Unlock()
	return s.last != nil && s.last.write
}
