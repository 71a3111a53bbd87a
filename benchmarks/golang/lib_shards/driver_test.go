package shards

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	c := New()
	for i := range 4 {
		wg.Go(func() { c.Set(uint64(i), 1); c.Get(uint64(i)) })
	}
	wg.Wait()
}
