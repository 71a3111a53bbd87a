// A map behind an RWMutex.
package main

import "sync"

type store struct {
	mu sync.RWMutex
	m  map[string]int
}

func (s *store) get(k string) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[k] // NORACE
	return v, ok
}

func (s *store) set(k string, v int) {
	s.mu.Lock()
	s.m[k] = v // NORACE
	s.mu.Unlock()
}

func main() {
	s := &store{m: make(map[string]int)}
	for i := 0; i < 3; i++ {
		go s.set("k", i)
		go s.get("k")
	}
	s.set("x", 1)
}
