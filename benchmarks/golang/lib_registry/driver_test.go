package registry

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	Register("a", func() error { return nil })
	for range 2 {
		wg.Go(func() { _ = Call("a") })
		wg.Go(func() { Register("b", nil) })
	}
	wg.Wait()
}
