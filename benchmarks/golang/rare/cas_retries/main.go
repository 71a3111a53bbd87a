// A counter by compare and swap that counts its retries, not atomically. Two goroutines must lose a swap to a third at once for their
// retries to race (who loses to the other is ordered after it); they work at different times.
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

func work(pauses int) {
	for i := 0; i < pauses; i++ {
		time.Sleep(50 * time.Millisecond)
	}
	for i := 0; i < 3; i++ {
		add(1)
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		work(0)
	}()
	go func() {
		defer wg.Done()
		work(1)
	}()
	go func() {
		defer wg.Done()
		work(2)
	}()
	wg.Wait()
	println(value, retries) // NORACE
}
