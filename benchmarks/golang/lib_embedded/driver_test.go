package set

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New()
	for range 2 {
		wg.Go(func() { s.Add("a") })
		wg.Go(func() { s.Has("a") })
		wg.Go(func() { s.Drop("a") })
	}
	wg.Wait()
}
