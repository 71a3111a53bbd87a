package session

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New()
	for range 4 {
		wg.Go(func() {
			tx := s.Begin()
			tx.Add(1)
			tx.Each()
			tx.Commit()
		})
		wg.Go(func() { s.Peek(func(tx *Tx) int { tx.Add(2); return 0 }) })
		wg.Go(func() { s.Hits() })
	}
	wg.Wait()
}
