package share

import (
	"sync"
	"testing"
)

// TestConcurrently uses two values of each type in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	a, b := Two()
	ns, ls, cs := Many(2), NewLogs(), Cells()
	c, d := <-cs, <-cs
	x, y := Boards()
	var wg sync.WaitGroup
	wg.Go(func() { a.Inc(); ns[0].Add("a"); ls.Out.Print("a"); c.Set(1); x.Put(1, 1) })
	wg.Go(func() { b.Inc(); ns[1].Add("b"); ls.Err.Print("b"); d.Set(2); y.Put(1, 2) })
	wg.Wait()
	New().Inc()
}
