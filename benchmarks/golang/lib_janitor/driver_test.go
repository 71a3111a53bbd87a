package janitor

import (
	"sync"
	"testing"
	"time"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New(time.Millisecond)
	wg.Go(func() {
		s.Put("a")
		time.Sleep(5 * time.Millisecond)
		s.Sweeps()
	})
	wg.Wait()
}
