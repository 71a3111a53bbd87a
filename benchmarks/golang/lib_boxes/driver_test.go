package boxes

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	c := New()
	c.Keep("k")
	for range 2 {
		wg.Go(func() { c.OnEvicted(func(string, any) {}) })
		wg.Go(func() { c.Set("a", 1); c.Add("a", 2); c.Delete("a") })
		wg.Go(func() { c.Keep("k"); c.Count() })
	}
	wg.Wait()
}
