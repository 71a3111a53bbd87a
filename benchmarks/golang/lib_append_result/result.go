// Package result returns what it has appended to a slice of its own.
package result

import "sync"

// Set is a set of numbers.
type Set struct {
	mu   sync.RWMutex
	nums []int
	buf  []int
}

// New makes a set.
func New() *Set { return &Set{} }

// Add adds a number.
func (s *Set) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nums = append(s.nums, n) // NORACE
}

// All returns a copy.
func (s *Set) All() []int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []int
	out = append(out, s.nums...) // NORACE
	return out
}

// Shared appends to the same buffer each time.
func (s *Set) Shared() []int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append(s.buf[:0], s.nums...) // RACE!
}

// Grow makes the buffer.
func (s *Set) Grow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = make([]int, 0, 64)
}
