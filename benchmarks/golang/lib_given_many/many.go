// Package many has functions that are given many values that are for concurrent use.
package many

import "sync"

// Item is for concurrent use.
type Item struct {
	mu sync.Mutex
	n  int
}

// Inc counts.
func (s *Item) Inc() {
	s.mu.Lock()
	s.n++ // RACE!
	s.mu.Unlock()
}

// Reset forgets the locks.
func Reset(all ...*Item) {
	for _, s := range all {
		s.n = 0 // RACE!
	}
}

// Sum has the locks.
func Sum(all map[string]*Item) int {
	n := 0
	for _, s := range all {
		s.mu.Lock()
		n += s.n // RACE!
		s.mu.Unlock()
	}
	return n
}
