// A channel is closed while something may be sent to it. Whoever panics recovers.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

func quiet() { recover() }

func plain() {
	ch := make(chan int, 1)
	go func() { defer quiet(); ch <- 1 }() // RACE!
	close(ch)                              // RACE!
}

// nonBlocking tries to send.
func nonBlocking() {
	ch := make(chan int, 1)
	go func() {
		defer quiet()
		select {
		case ch <- 1: // RACE!
		default:
		}
	}()
	close(ch) // RACE!
}

// chosen sends in a select statement with other cases.
func chosen() {
	ch, quit := make(chan int), make(chan bool)
	go func() {
		defer quiet()
		select {
		case ch <- 1: // RACE!
		case <-quit:
		}
	}()
	close(ch) // RACE!
	close(quit)
}

// early closes before the WaitGroup has been waited for.
func early() {
	var wg sync.WaitGroup
	ch := make(chan int, 4)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			func() { defer quiet(); ch <- i }() // RACE!
		}()
	}
	close(ch) // RACE!
	wg.Wait()
}

// afterDone sends after it has said that it is done.
func afterDone() {
	var wg sync.WaitGroup
	ch := make(chan int, 1)
	wg.Add(1)
	go func() {
		defer quiet()
		wg.Done()
		ch <- 1 // RACE!
	}()
	wg.Wait()
	close(ch) // RACE!
}

// oneOfTwo waits for one sender only.
func oneOfTwo() {
	ch, done := make(chan int, 2), make(chan bool)
	go func() {
		ch <- 1
		close(done)
	}()
	go func() { defer quiet(); ch <- 2 }() // RACE!
	<-done
	close(ch) // RACE!
}

type half struct {
	ch     chan int
	closed atomic.Bool
}

func (h *half) send(v int) {
	if !h.closed.Load() {
		h.ch <- v // RACE!
	}
}

// checked tests a flag that is not under a lock.
func checked() {
	h := &half{ch: make(chan int, 1)}
	go func() { defer quiet(); h.send(1) }()
	h.closed.Store(true)
	close(h.ch) // RACE!
}

type locked struct {
	mu     sync.Mutex
	closed bool
	ch     chan int
}

// send gives the lock back before it sends.
func (l *locked) send(v int) {
	l.mu.Lock()
	closed := l.closed
	l.mu.Unlock()
	if !closed {
		l.ch <- v // RACE!
	}
}

func released() {
	l := &locked{ch: make(chan int, 1)}
	go func() { defer quiet(); l.send(1) }()
	l.mu.Lock()
	l.closed = true
	close(l.ch) // RACE!
	l.mu.Unlock()
}

// received closes a channel of two senders when it has received once.
func received() {
	ch := make(chan int, 2)
	for i := 0; i < 2; i++ {
		go func() { defer quiet(); ch <- i }() // RACE!
	}
	<-ch
	close(ch) // RACE!
}

// deferredClose closes at its end, for which nobody has waited.
func deferredClose() {
	ch := make(chan int, 1)
	defer close(ch) // RACE!
	go func() {
		defer quiet()
		time.Sleep(time.Microsecond)
		ch <- 1 // RACE!
	}()
}

func main() {
	plain()
	nonBlocking()
	chosen()
	early()
	afterDone()
	oneOfTwo()
	checked()
	released()
	received()
	deferredClose()
	l := &looped{ch: make(chan int, 4)}
	go l.send()
	l.stop()
	doneInside()
	toldInside()
	time.Sleep(10 * time.Millisecond)
}

// looped has the lock again for its second send, and does not look at the flag again.
type looped struct {
	mu   sync.Mutex
	shut bool
	ch   chan int
}

func (l *looped) send() {
	defer quiet()
	l.mu.Lock()
	if l.shut {
		l.mu.Unlock()
		return
	}
	for range 2 {
		l.ch <- 1 // RACE!
		l.mu.Unlock()
		l.mu.Lock()
	}
	l.mu.Unlock()
}

func (l *looped) stop() {
	l.mu.Lock()
	if l.shut {
		l.mu.Unlock()
		return
	}
	l.shut = true
	l.mu.Unlock()
	close(l.ch) // RACE!
}

// doneInside: one call in the goroutine does both, first Done.
func doneInside() {
	var wg sync.WaitGroup
	ch := make(chan int, 1)
	wg.Add(1)
	go func() {
		defer quiet()
		doneThenSend(ch, &wg)
	}()
	wg.Wait()
	close(ch) // RACE!
}

func doneThenSend(ch chan<- int, wg *sync.WaitGroup) {
	wg.Done()
	ch <- 1 // RACE!
}

// toldInside: one call in the goroutine sends, says so, and sends again.
func toldInside() {
	ch, d := make(chan int, 2), make(chan bool)
	go func() {
		defer quiet()
		func() {
			ch <- 1 // NORACE
			close(d)
			ch <- 2 // RACE!
		}()
	}()
	<-d
	close(ch) // RACE!
}
