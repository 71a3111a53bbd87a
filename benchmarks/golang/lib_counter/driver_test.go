package counter

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	var c Counter
	for range 2 {
		wg.Go(func() { c.Inc("a") })
		wg.Go(func() { c.Get("a"); c.Total() })
	}
	wg.Wait()
}
