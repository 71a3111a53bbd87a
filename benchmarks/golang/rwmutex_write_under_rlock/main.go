// A write under the read lock.
package main

import "sync"

type store struct {
	mu   sync.RWMutex
	hits int
	m    map[string]int
}

func (s *store) get(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.hits++ // RACE!
	return s.m[k]
}

func main() {
	s := &store{m: make(map[string]int)}
	go s.get("a")
	s.get("b")
}
