// The statistics of trylock_stats, repaired: what was dropped is counted atomically.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type stats struct {
	mu      sync.Mutex
	calls   int
	dropped int64
}

func (s *stats) record() {
	if !s.mu.TryLock() {
		atomic.AddInt64(&s.dropped, 1) // NORACE
		return
	}
	defer s.mu.Unlock()
	s.calls++                        // NORACE
	atomic.StoreInt64(&s.dropped, 0) // NORACE
}

func main() {
	s := new(stats)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		s.record()
	}()
	time.Sleep(5 * time.Millisecond)
	s.record()
	wg.Wait()
	println(s.calls) // NORACE
}
