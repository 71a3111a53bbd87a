// A counter by compare and swap that counts its retries, not atomically. Two goroutines must both lose a swap in one run for their
// retries to race; they work at different times.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

var (
	value   int64
	retries int
)

func add(n int64) {
	for {
		old := atomic.LoadInt64(&value)
		if atomic.CompareAndSwapInt64(&value, old, old+n) {
			return
		}
		retries++ // RACE!
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := 0; i < 3; i++ {
			add(1)
		}
	}()
	go func() {
		defer wg.Done()
		time.Sleep(50 * time.Millisecond)
		for i := 0; i < 3; i++ {
			add(2)
		}
	}()
	wg.Wait()
	println(value, retries) // NORACE
}
