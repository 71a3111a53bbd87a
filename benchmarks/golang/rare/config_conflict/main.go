// Configurations are snapshots that readers use without the lock. A reload that finds that another one came first merges into the
// snapshot in place, under the lock, which readers do not hold. Two reloads must cross for that.
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
	old := s.get()
	next := &config{version: old.version + 1, limit: limit}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cur == old { // NORACE
		s.cur = next // NORACE
		return
	}
	s.cur.limit = limit // RACE!
}

func main() {
	s := &store{cur: &config{limit: 1}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.reload(2)
		println(s.get().limit) // RACE!
	}()
	go func() {
		defer wg.Done()
		time.Sleep(5 * time.Millisecond)
		s.reload(3)
		println(s.get().limit) // RACE!
	}()
	wg.Wait()
}
