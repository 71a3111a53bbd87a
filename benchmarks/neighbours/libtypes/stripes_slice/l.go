// WANT: verify | racy | the locks are in a slice; Reset replaces the map of a stripe
// without its lock
package stripes_slice

import (
	"hash/maphash"
	"sync"
)

// Set is a set of strings in stripes.
type Set struct {
	seed  maphash.Seed
	locks []sync.RWMutex
	parts []map[string]struct{}
}

// New makes a set of n stripes.
func New(n int) *Set {
	s := &Set{seed: maphash.MakeSeed(), locks: make([]sync.RWMutex, n), parts: make([]map[string]struct{}, n)}
	for i := range s.parts {
		s.parts[i] = make(map[string]struct{})
	}
	return s
}

func (s *Set) stripe(k string) int { return int(maphash.String(s.seed, k) % uint64(len(s.locks))) }

// Add adds k.
func (s *Set) Add(k string) {
	i := s.stripe(k)
	s.locks[i].Lock()
	defer s.locks[i].Unlock()
	s.parts[i][k] = struct{}{} // RACE!
}

// Has tells whether k is in the set.
func (s *Set) Has(k string) bool {
	i := s.stripe(k)
	s.locks[i].RLock()
	defer s.locks[i].RUnlock()
	_, ok := s.parts[i][k] // RACE!
	return ok
}

// Reset empties the set.
func (s *Set) Reset() {
	for i := range s.parts {
		s.parts[i] = make(map[string]struct{}) // RACE!
	}
}
