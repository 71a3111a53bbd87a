package share

import (
	"sync"
	"testing"
)

// TestConcurrently gives one object to two values, for the race detector.
func TestConcurrently(t *testing.T) {
	i, buf, it := NewInner(), make([]int, 1), &Item{}
	p := NewPair(i, i)
	bs := [2]*Box{{Inner: i}, {Inner: i}}
	rs := [2]*Ring{NewRing(buf), NewRing(buf)}
	d := [2]*int{new(int), new(int)}
	ds := [2]*Dials{NewDials(d), NewDials(d)}
	var ls [2]List
	var wg sync.WaitGroup
	wg.Go(func() { p.X("a") })
	wg.Go(func() { p.Y("a") })
	for i := range 2 {
		wg.Go(func() { bs[i].Inc("b"); rs[i].Add(1); ls[i].Push(it); ls[i].Sum(); ds[i].Turn() })
	}
	wg.Wait()
}
