package share

import (
	"sync"
	"testing"
)

// TestConcurrently gives one object to two values, for the race detector.
func TestConcurrently(t *testing.T) {
	i, buf := NewInner(), make([]int, 1)
	p := NewPair(i, i)
	rs := [2]*Ring{NewRing(buf), NewRing(buf)}
	var ls [2]List
	var wg sync.WaitGroup
	wg.Go(func() { p.X("a") })
	wg.Go(func() { p.Y("a") })
	for i := range 2 {
		wg.Go(func() { rs[i].Add(1); ls[i].Push(1); ls[i].Sum() })
	}
	wg.Wait()
}
