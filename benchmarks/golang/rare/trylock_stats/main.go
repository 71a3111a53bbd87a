// Statistics that must not hold anybody up: who does not get the lock counts what was dropped without it. The lock is held for
// nanoseconds, so this path is taken only if two calls meet.
package main

import (
	"sync"
	"time"
)

type stats struct {
	mu      sync.Mutex
	calls   int
	dropped int
}

func (s *stats) record() {
	if !s.mu.TryLock() {
		s.dropped++ // RACE!
		return
	}
	defer s.mu.Unlock()
	s.calls++     // NORACE
	s.dropped = 0 // RACE!
}

func main() {
	s := new(stats)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		s.record()
	}()
	time.Sleep(50 * time.Millisecond)
	s.record()
	wg.Wait()
	println(s.calls) // NORACE
}
