package views

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New()
	v, n := s.View(), s.Names()
	wg.Go(func() { s.Set(1, 2); s.Name("a") })
	wg.Go(func() { _ = v.Rows[1]; _ = n.Known["a"] })
	wg.Wait()
}
