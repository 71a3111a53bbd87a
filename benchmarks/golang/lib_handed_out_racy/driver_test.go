package handed

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New()
	one := s.Again(nil, true)
	for range 4 {
		wg.Go(func() { s.Early(1) })
		wg.Go(func() { s.Lookup(1) })
		wg.Go(func() { s.Linked() })
		wg.Go(func() { s.Again(one, false) })
		wg.Go(func() { s.Started() })
		wg.Go(func() { s.Reused() })
		wg.Go(func() { s.Sent() })
		wg.Go(func() { s.Received() })
		wg.Go(func() { s.Both() })
		wg.Go(func() { s.Head() })
		wg.Go(func() { s.Count(one) })
	}
	wg.Wait()
}
