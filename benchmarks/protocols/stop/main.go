// A driver that is stopped while requests come in, and whose device sends interrupts: it
// may be given free once no request and no handler is under way.
package main

import "sync/atomic"

// bug is the bug that is seeded; 0: none.
const bug = 0

const (
	requests = 3
	packets  = 3
)

var (
	pending  atomic.Int32 // requests under way, and one while the driver is there
	stopping atomic.Int32
	freed    atomic.Int32
	idle     = make(chan int, 8)
	irq      = make(chan int, 8)
	killed   = make(chan int, 4)
	over     = make(chan int, requests+1)
)

// enter is what a request does first; it reports whether the driver is there.
func enter() bool {
	if bug == 1 { // looked at before it is counted
		if stopping.Load() == 1 {
			return false
		}
		pending.Add(1)
		return true
	}
	pending.Add(1)
	if stopping.Load() == 1 {
		leave()
		return false
	}
	return true
}

func leave() {
	if pending.Add(-1) == 0 {
		idle <- 1
	}
}

func request() {
	for i := 0; i < 2; i++ {
		if enter() {
			if freed.Load() == 1 {
				panic("a request uses what is free")
			}
			leave()
		}
	}
	over <- 1
}

// handler runs for each interrupt, and asks for the next one.
func handler() {
	for n := <-irq; n > 0; n = <-irq {
		if freed.Load() == 1 {
			panic("a handler uses what is free")
		}
		if n == packets { // the last one
			continue
		}
		if stopping.Load() == 1 {
			continue
		}
		irq <- n + 1
	}
	killed <- 1
}

func stop() {
	stopping.Store(1)
	leave()
	<-idle
	irq <- 0      // no interrupt comes behind this one
	if bug == 2 { // the handler may still be under way
		freed.Store(1)
		<-killed
	} else {
		<-killed
		freed.Store(1)
	}
	over <- 1
}

func main() {
	pending.Store(1)
	irq <- 1
	go handler()
	for i := 0; i < requests; i++ {
		go request()
	}
	go stop()
	for i := 0; i < requests+1; i++ {
		<-over
	}
}
