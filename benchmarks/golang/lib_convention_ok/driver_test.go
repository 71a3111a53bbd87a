package convention

import (
	"sync"
	"testing"
)

// TestConcurrently calls the functions in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	double := Memo(func(k int) int { return 2 * k })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { NewID(); Slug("A"); Lookup(0); double(1) })
	}
	wg.Wait()
}
