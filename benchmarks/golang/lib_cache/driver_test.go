package cache

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	c := New(func(string, int) {})
	c.Set("a", 0)
	for range 2 {
		wg.Go(func() { c.Get("a") })
		wg.Go(func() { c.Set("b", 1) })
		wg.Go(func() { c.Len() })
	}
	wg.Wait()
}
