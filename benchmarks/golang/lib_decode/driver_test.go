package decode

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	c := New()
	for range 2 {
		wg.Go(func() { _ = c.Load([]byte("[1,2]")) })
		wg.Go(func() { _ = c.LoadLast([]byte("[1,2]")) })
		wg.Go(func() { c.Len(); c.Get("a") })
	}
	wg.Wait()
}
