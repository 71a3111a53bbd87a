package hooks

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	h := New()
	for range 2 {
		wg.Go(func() { h.Call("a") })
		wg.Go(func() { h.Stop() })
	}
	wg.Wait()
}
