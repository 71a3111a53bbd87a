// Program gate_local_ok closes channels under flags, locks and Onces that are variables of functions.
package main

import (
	"sync"
	"sync/atomic"
)

// tested closes once, as a flag says that is a variable under a lock.
func tested() {
	var mu sync.Mutex
	closed := false
	ch := make(chan int)
	stop := func() {
		mu.Lock()
		if closed {
			mu.Unlock()
			return
		}
		closed = true
		mu.Unlock()
		close(ch) // NORACE
	}
	go stop()
	go stop()
	<-ch
}

// exchanged closes once, as an atomic flag says.
func exchanged() {
	var closed atomic.Bool
	ch := make(chan int)
	stop := func() {
		if closed.CompareAndSwap(false, true) {
			close(ch) // NORACE
		}
	}
	go stop()
	stop()
	<-ch
}

// swapped does so with numbers, in two closures.
func swapped() {
	var closed atomic.Int32
	ch := make(chan int)
	go func() {
		if closed.Swap(1) == 0 {
			close(ch) // NORACE
		}
	}()
	go func() {
		if closed.Swap(1) != 0 {
			return
		}
		close(ch) // NORACE
	}()
	<-ch
}

// plain does so with a plain number.
func plain() {
	var closed int32
	ch := make(chan int)
	for range 3 {
		go func() {
			if !atomic.CompareAndSwapInt32(&closed, 0, 1) {
				return
			}
			close(ch) // NORACE
		}()
	}
	<-ch
}

// once has a Once for each channel.
func once() func() {
	var o sync.Once
	ch := make(chan int)
	go func() { <-ch }()
	return func() {
		o.Do(func() { close(ch) }) // NORACE
	}
}

// senders find the flag unset and hold the lock; the only closer has set it.
func senders() {
	var mu sync.RWMutex
	closed := false
	ch := make(chan int, 3)
	for i := range 3 {
		go func() {
			mu.RLock()
			defer mu.RUnlock()
			if !closed {
				ch <- i // NORACE
			}
		}()
	}
	mu.Lock()
	closed = true
	mu.Unlock()
	close(ch) // NORACE
}

// both are done under one lock.
func both() {
	var mu sync.Mutex
	closed := false
	ch := make(chan int, 1)
	go func() {
		mu.Lock()
		if !closed {
			ch <- 1 // NORACE
		}
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		defer mu.Unlock()
		if !closed {
			closed = true
			close(ch) // NORACE
		}
	}()
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			tested()
			exchanged()
			swapped()
			plain()
			senders()
			both()
		}()
	}
	wg.Wait()
	stop := once()
	go stop()
	stop()
}
