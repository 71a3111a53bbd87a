// The store of config_conflict, repaired: a reload that finds that another one came first begins anew.
package main

import (
	"sync"
	"time"
)

type config struct {
	version int
	limit   int
}

type store struct {
	mu  sync.Mutex
	cur *config
}

func (s *store) get() *config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur // NORACE
}

func (s *store) reload(limit int) {
	for {
		old := s.get()
		next := &config{version: old.version + 1, limit: limit}
		s.mu.Lock()
		if s.cur == old { // NORACE
			s.cur = next // NORACE
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

func main() {
	s := &store{cur: &config{limit: 1}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.reload(2)
		println(s.get().limit) // NORACE
	}()
	go func() {
		defer wg.Done()
		time.Sleep(5 * time.Millisecond)
		s.reload(3)
		println(s.get().limit) // NORACE
	}()
	wg.Wait()
}
