package share

import (
	"sync"
	"testing"
)

// TestConcurrently uses two values of each type in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	ss := [2]*Set{NewSet(), NewSet()}
	Link(Sets{ss[0], ss[1]})
	ts := [2]*Table{NewTable(), NewTable()}
	NewJoin(ts[0], ts[1]).Link()
	cs := [2]Counter{New(), New()}
	Share(cs[0], cs[1])
	ks := [2]*Stack[int]{NewStack[int](), NewStack[int]()}
	Same(ks[0], ks[1])
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { ss[i].Inc("a"); ts[i].Inc("a"); cs[i].Inc(); ks[i].Put(1) })
	}
	wg.Wait()
}
