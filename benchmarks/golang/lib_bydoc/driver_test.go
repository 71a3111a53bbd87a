package stats

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	var m Meter
	for range 2 {
		wg.Go(func() { m.Add(1) })
	}
	wg.Wait()
}
