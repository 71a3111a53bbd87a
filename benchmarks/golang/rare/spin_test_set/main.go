// A spin lock of one's own that tests and sets in two steps: two goroutines that test at the same time both get it. The second one
// comes milliseconds later, when the first has long given it back.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var (
	held    int32
	balance int
)

func acquire() {
	for atomic.LoadInt32(&held) != 0 {
		runtime.Gosched()
	}
	atomic.StoreInt32(&held, 1)
}

func release() { atomic.StoreInt32(&held, 0) }

func deposit(n int) {
	acquire()
	balance += n // RACE!
	release()
}

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		deposit(10)
	}()
	time.Sleep(5 * time.Millisecond)
	deposit(20)
	wg.Wait()
	println(balance) // NORACE
}
