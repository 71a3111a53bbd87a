// Each channel is closed when all that is sent to it has been sent.
package main

import (
	"sync"
)

func plain() {
	ch := make(chan int, 1)
	go func() {
		ch <- 1   // NORACE
		close(ch) // NORACE
	}()
	<-ch
}

// waited closes when the WaitGroup has been waited for.
func waited() {
	var wg sync.WaitGroup
	ch := make(chan int, 4)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ch <- i // NORACE
		}()
	}
	wg.Wait()
	close(ch) // NORACE
}

// closer has another goroutine wait and close.
func closer(n int) int {
	var wg sync.WaitGroup
	ch := make(chan int)
	for i := 0; i < n; i++ {
		wg.Go(func() { ch <- i }) // NORACE
	}
	go func() {
		wg.Wait()
		close(ch) // NORACE
	}()
	sum := 0
	for v := range ch {
		sum += v
	}
	return sum
}

// told closes when the sender says that it is done.
func told() {
	ch, done := make(chan int, 2), make(chan bool)
	go func() {
		defer close(done)
		ch <- 1 // NORACE
		ch <- 2 // NORACE
	}()
	<-done
	close(ch) // NORACE
}

// received closes when it has received from all senders.
func received() {
	ch := make(chan int)
	for i := 0; i < 3; i++ {
		go func() { ch <- i }() // NORACE
	}
	for i := 0; i < 3; i++ {
		<-ch
	}
	close(ch) // NORACE
}

type gate struct {
	mu     sync.RWMutex
	closed bool
	ch     chan int
}

// send sends under the lock that close needs.
func (g *gate) send(v int) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.closed {
		return
	}
	select {
	case g.ch <- v: // NORACE
	default:
	}
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.closed = true
		close(g.ch) // NORACE
	}
}

func underLock() {
	g := &gate{ch: make(chan int, 2)}
	done := make(chan bool)
	go func() {
		g.send(1)
		close(done)
	}()
	g.close()
	<-done
}

type flagged struct {
	mu     sync.Mutex
	closed bool
	ch     chan int
}

func (f *flagged) send(v int) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return
	}
	f.ch <- v // NORACE
	f.mu.Unlock()
}

// close sets the flag under the lock, and closes without: nobody sends any more.
func (f *flagged) close() {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return
	}
	f.closed = true
	f.mu.Unlock()
	close(f.ch) // NORACE
}

func byFlag() {
	f := &flagged{ch: make(chan int, 4)}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.send(i)
			f.close()
		}()
	}
	wg.Wait()
}

// ownChannel is called by several goroutines: each closes a channel of its own.
func ownChannel() int {
	ch := make(chan int)
	go func() {
		defer close(ch) // NORACE
		for i := 0; i < 3; i++ {
			ch <- i // NORACE
		}
	}()
	sum := 0
	for v := range ch {
		sum += v
	}
	return sum
}

func several() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Go(func() { ownChannel() })
	}
	wg.Wait()
}

// before sends before the goroutine that closes is started.
func before() {
	ch := make(chan int, 2)
	ch <- 1                   // NORACE
	ch <- 2                   // NORACE
	go func() { close(ch) }() // NORACE
	for range ch {
	}
}

// quits stops the sender before it closes.
func quits() {
	ch, quit, stopped := make(chan int), make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case ch <- 1: // NORACE
			case <-quit:
				return
			}
		}
	}()
	<-ch
	close(quit) // NORACE
	<-stopped
	close(ch) // NORACE
}

func main() {
	plain()
	waited()
	closer(3)
	closer(4)
	told()
	received()
	underLock()
	byFlag()
	several()
	before()
	quits()
	doneInside()
}

// doneInside: one call in the goroutine does both, Done last.
func doneInside() {
	var wg sync.WaitGroup
	ch := make(chan int, 1)
	wg.Add(1)
	go func() {
		sendThenDone(ch, &wg)
	}()
	wg.Wait()
	close(ch) // NORACE
}

func sendThenDone(ch chan<- int, wg *sync.WaitGroup) {
	ch <- 1 // NORACE
	wg.Done()
}
