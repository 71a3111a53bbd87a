package group

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	g := New(func() {})
	for range 4 {
		g.Go(func() error { return nil })
	}
	wg.Go(g.Wait)
	wg.Wait()
}
