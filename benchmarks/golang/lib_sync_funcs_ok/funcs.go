// Package funcs is lib_sync_funcs, repaired.
package funcs

import (
	"sync"
	"sync/atomic"
)

// Sum adds in goroutines, under a lock.
func Sum(xs []int) int {
	sum := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			sum += x
		}()
	}
	wg.Wait()
	return sum
}

// First sends what the first of two functions has.
func First(f, g func() int) int {
	done := make(chan int, 2)
	for _, h := range []func() int{f, g} {
		go func() { done <- h() }()
	}
	return <-done
}

// Counter returns two functions that share an atomic.
func Counter() (inc func(), get func() int64) {
	var n atomic.Int64
	return func() { n.Add(1) }, func() int64 { return n.Load() }
}
