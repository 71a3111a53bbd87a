package share

import (
	"sync"
	"testing"
)

// TestConcurrently uses two values of each type in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	x, next := NewTables(), Numbers()
	a, b := NewQueue(next), NewQueue(next)
	var wg sync.WaitGroup
	wg.Go(func() { x.In.Inc("a"); Fast.Add(1); a.Put() })
	wg.Go(func() { x.Out.Inc("a"); Slow.Add(1); b.Put() })
	wg.Wait()
}
