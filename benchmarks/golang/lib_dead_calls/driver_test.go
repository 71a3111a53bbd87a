package dead

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	x := NewTable()
	for range 2 {
		wg.Go(func() { x.Set("a", 1) })
		wg.Go(func() { x.Get("a"); x.Reset() })
	}
	wg.Wait()
}
