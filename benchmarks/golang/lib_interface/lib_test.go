package store

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s, m := New(), NewMeter()
	for range 2 {
		wg.Go(func() { s.Put("a", 1); s.Get("a"); s.Len() })
		wg.Go(m.Hit)
	}
	wg.Wait()
}
