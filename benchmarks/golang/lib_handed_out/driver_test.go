package handed

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New([]int{1, 2, 3})
	for range 4 {
		wg.Go(func() { s.Report(2) })
	}
	wg.Wait()
}
