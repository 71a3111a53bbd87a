// A constructor makes the objects of a pool, by itself or as its function New.
package main

import "sync"

type frames struct {
	pcs []uintptr
	n   int
}

var pool = sync.Pool{New: func() any { return newFrames(64) }}

func newFrames(n int) *frames {
	f := &frames{n: n} // NORACE
	f.pcs = make([]uintptr, n)
	return f
}

func take(k int) int {
	f := pool.Get().(*frames)
	defer pool.Put(f)
	f.n += k          // NORACE
	f.pcs = f.pcs[:3] // NORACE
	return f.n        // NORACE
}

func main() {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { println(take(i)) })
	}
	wg.Wait()
}
