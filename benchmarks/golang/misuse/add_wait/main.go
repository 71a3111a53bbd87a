// Add of a WaitGroup that may count nothing runs beside Wait. The detector shows it where Wait has to wait.
package main

import (
	"sync"
	"time"
)

func nap() { time.Sleep(20 * time.Microsecond) }

func plain() {
	var wg sync.WaitGroup
	go func() {
		wg.Add(1) // RACE! WARN: waitgroup-add
		nap()
		wg.Done()
	}()
	nap()
	wg.Wait() // RACE!
}

// goes uses Go.
func goes() {
	var wg sync.WaitGroup
	go func() { wg.Go(nap) }() // RACE! WARN: waitgroup-add
	nap()
	wg.Wait() // RACE!
}

type crawler struct{ wg sync.WaitGroup }

func (c *crawler) visit(depth int) {
	if depth == 0 {
		return
	}
	c.wg.Add(1) // RACE! WARN: waitgroup-add
	go func() {
		defer c.wg.Done()
		c.visit(depth - 1)
		nap()
	}()
}

// uncounted starts the first visit without counting it.
func uncounted() {
	c := &crawler{}
	go c.visit(2)
	nap()
	c.wg.Wait() // RACE!
}

// tooLate adds for another after its own Done.
func tooLate() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		wg.Add(1) // RACE!
		nap()
		wg.Done()
	}()
	nap()
	wg.Wait() // RACE!
}

type conn struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// send adds after it has given the lock back.
func (c *conn) send() {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return
	}
	c.wg.Add(1) // RACE!
	nap()
	c.wg.Done()
}

func released() {
	c := new(conn)
	go c.send()
	nap()
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.wg.Wait() // RACE!
}

// begin is counted by nobody, and does not look at the flag.
func (c *conn) begin() {
	c.mu.Lock()
	c.wg.Add(1) // RACE!
	c.mu.Unlock()
	nap()
	c.wg.Done()
}

func unflagged() {
	c := new(conn)
	go c.begin()
	nap()
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.wg.Wait() // RACE!
}

// two waits in another goroutine than the one that adds.
func two() {
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() {
		nap()
		wg.Wait() // RACE!
		close(done)
	}()
	wg.Add(1) // RACE!
	go func() { defer wg.Done(); nap() }()
	<-done
}

// listener counts each of its clients, in a goroutine that is not counted.
func listener() {
	var wg sync.WaitGroup
	clients := make(chan int, 3)
	go func() {
		for range clients {
			wg.Add(1) // RACE!
			go func() { nap(); wg.Done() }()
		}
	}()
	clients <- 1
	clients <- 2
	nap()
	wg.Wait() // RACE!
}

func given(wg *sync.WaitGroup) {
	wg.Add(1) // RACE! WARN: waitgroup-add
	nap()
	wg.Done()
}

func parameter() {
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		go given(&wg)
	}
	nap()
	wg.Wait() // RACE!
}

// deferred waits at its end.
func deferred() {
	var wg sync.WaitGroup
	defer wg.Wait() // RACE!
	go func() {
		wg.Add(1) // RACE! WARN: waitgroup-add
		defer wg.Done()
		nap()
	}()
	nap()
}

// inside: one call in the counted goroutine does both, first Done.
func inside() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		func() {
			wg.Done()
			wg.Go(func() {}) // RACE!
		}()
	}()
	wg.Wait() // RACE!
}

func main() {
	for range 5 {
		plain()
		goes()
		uncounted()
		tooLate()
		released()
		unflagged()
		two()
		listener()
		parameter()
		deferred()
		inside()
	}
	time.Sleep(10 * time.Millisecond)
}
