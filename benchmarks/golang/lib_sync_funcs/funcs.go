// Package funcs has no types: its functions start goroutines, or return functions that share what they have captured.
package funcs

import (
	"sync"
	"sync/atomic"
)

// Sum adds in goroutines.
func Sum(xs []int) int {
	sum := 0
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sum += x // RACE!
		}()
	}
	wg.Wait()
	return sum
}

// First runs two functions and returns what the first one has.
func First(f, g func() int) int {
	res := 0
	done := make(chan bool, 2)
	for _, h := range []func() int{f, g} {
		go func() {
			res = h() // RACE!
			done <- true
		}()
	}
	<-done
	return res // RACE!
}

// Counter returns two functions, one of which forgets to be careful.
func Counter() (inc func(), get func() int64) {
	var n atomic.Int64
	calls := 0
	inc = func() {
		n.Add(1)
		calls++ // RACE!
	}
	return inc, n.Load
}
