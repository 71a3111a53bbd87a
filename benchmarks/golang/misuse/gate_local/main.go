// Program gate_local closes channels under flags and locks of functions that do not protect them.
package main

import (
	"sync"
	"sync/atomic"
)

// unlocked tests a flag that nothing protects.
func unlocked() {
	closed := false
	ch := make(chan int)
	stop := func() {
		if !closed { // RACE!
			closed = true // RACE!
			close(ch)     // RACE!
		}
	}
	go stop()
	go stop()
}

// ownLock has a lock for each call.
func ownLock() {
	closed := false
	ch := make(chan int)
	stop := func() {
		var mu sync.Mutex
		mu.Lock()
		defer mu.Unlock()
		if !closed { // RACE!
			closed = true // RACE!
			close(ch)     // RACE!
		}
	}
	go stop()
	go stop()
}

// reset makes the flag good for another close.
func reset() {
	var closed atomic.Bool
	ch := make(chan int)
	stop := func() {
		if closed.CompareAndSwap(false, true) {
			close(ch) // RACE!
		}
	}
	go stop()
	go func() {
		closed.Store(false)
		stop()
	}()
}

// ownFlag has a flag for each call.
func ownFlag() {
	ch := make(chan int)
	stop := func() {
		var closed atomic.Bool
		func() {
			if closed.CompareAndSwap(false, true) {
				close(ch) // RACE!
			}
		}()
	}
	go stop()
	go stop()
}

// eachFlag has one for each iteration.
func eachFlag() {
	ch := make(chan int)
	for range 2 {
		var closed atomic.Bool
		go func() {
			if closed.CompareAndSwap(false, true) {
				close(ch) // RACE!
			}
		}()
	}
}

// eachOnce has a Once for each iteration.
func eachOnce() {
	ch := make(chan int)
	for range 2 {
		var o sync.Once
		go func() {
			o.Do(func() { close(ch) }) // RACE!
		}()
	}
}

// again makes a Once anew that may be running its function.
func again() {
	var o sync.Once
	ch := make(chan int)
	go func() { o.Do(func() { close(ch) }) }() // RACE!
	go func() { o = sync.Once{} }()            // RACE!
}

// late sends when it has given the lock back.
func late() {
	var mu sync.Mutex
	closed := false
	ch := make(chan int, 1)
	go func() {
		mu.Lock()
		shut := closed
		mu.Unlock()
		if !shut {
			ch <- 1 // RACE!
		}
	}()
	mu.Lock()
	closed = true
	mu.Unlock()
	close(ch) // RACE!
}

// apart tests the flag in one critical section and sets it in another one.
func apart() {
	var mu sync.Mutex
	closed := false
	ch := make(chan int)
	stop := func() {
		mu.Lock()
		was := closed
		mu.Unlock()
		if !was {
			mu.Lock()
			closed = true
			mu.Unlock()
			close(ch) // RACE!
		}
	}
	go stop()
	go stop()
}

// both set the flag and close.
func both() {
	var mu sync.Mutex
	closed := false
	ch := make(chan int)
	go func() {
		mu.Lock()
		closed = true
		mu.Unlock()
		close(ch) // RACE!
	}()
	mu.Lock()
	closed = true
	mu.Unlock()
	close(ch) // RACE!
	mu.Lock()
	_ = closed
	mu.Unlock()
}

// lost closes where it was not the first.
func lost() {
	var closed atomic.Int32
	ch := make(chan int)
	for range 3 {
		go func() {
			if closed.Swap(1) != 0 {
				close(ch) // RACE!
			}
		}()
	}
}

func unset(p *atomic.Bool) { p.Store(false) }

// elsewhere unsets the flag by its address.
func elsewhere() {
	var closed atomic.Bool
	ch := make(chan int)
	for range 2 {
		go func() {
			if closed.CompareAndSwap(false, true) {
				close(ch) // RACE!
			}
			unset(&closed)
		}()
	}
}

// otherLock has the lock of another iteration.
func otherLock() {
	closed := false
	ch := make(chan int)
	for range 2 {
		var mu sync.Mutex
		go func() {
			mu.Lock()
			if closed { // RACE!
				mu.Unlock()
				return
			}
			closed = true // RACE!
			mu.Unlock()
			close(ch) // RACE!
		}()
	}
}

func main() {
	unlocked()
	ownLock()
	reset()
	ownFlag()
	eachFlag()
	eachOnce()
	again()
	late()
	apart()
	both()
	lost()
	elsewhere()
	otherLock()
}
