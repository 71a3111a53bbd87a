package share

import (
	"sync"
	"testing"
)

// TestConcurrently uses two values of each type in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	b := NewBuilder()
	b.With("a", 1)
	o, s := Totalled(), Root()
	ts := [2]*Table{b.Build(), b.Build()}
	ms := [2]*Meter{NewMeter(o), NewMeter(o)}
	ss := [2]*Scope{s.Child(), s.Child()}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { ts[i].Inc("a"); ms[i].Add(1); ss[i].Inc() })
	}
	wg.Wait()
}
