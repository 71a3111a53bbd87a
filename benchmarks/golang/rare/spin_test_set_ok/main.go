// The spin lock of spin_test_set, repaired: test and set are one step.
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
	for !atomic.CompareAndSwapInt32(&held, 0, 1) {
		runtime.Gosched()
	}
}

func release() { atomic.StoreInt32(&held, 0) }

func deposit(n int) {
	acquire()
	balance += n // NORACE
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
