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
		wg.Go(func() { s.Update(func(tx *Tx) error { return tx.Add(1) }) })
		wg.Go(func() {
			tx, _ := s.Begin(false)
			tx.Get("n")
			tx.Each()
			tx.Rollback()
		})
		wg.Go(func() { s.Sum() })
	}
	wg.Wait()
}
