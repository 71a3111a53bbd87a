// Add of a WaitGroup comes before Wait, or while something is counted.
package main

import "sync"

func plain() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1) // NORACE
		go func() { wg.Done() }()
	}
	wg.Wait() // NORACE
}

func goes() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Go(func() {}) // NORACE
	}
	wg.Wait() // NORACE
}

type crawler struct {
	wg sync.WaitGroup
}

func (c *crawler) visit(depth int) {
	defer c.wg.Done()
	for i := 0; i < depth; i++ {
		c.wg.Add(1) // NORACE
		go c.visit(depth - 1)
	}
}

// counted counts the first visit, so that the others are added while something is counted.
func counted() {
	c := &crawler{}
	c.wg.Add(1) // NORACE
	go c.visit(3)
	c.wg.Wait() // NORACE
}

func walk(wg *sync.WaitGroup, depth int) {
	defer wg.Done()
	if depth > 0 {
		wg.Add(2) // NORACE
		go walk(wg, depth-1)
		go walk(wg, depth-1)
	}
}

func parameter() {
	var wg sync.WaitGroup
	wg.Add(1) // NORACE
	go walk(&wg, 2)
	wg.Wait() // NORACE
}

// within uses Go in a goroutine of Go.
func within() {
	var wg sync.WaitGroup
	wg.Go(func() { // NORACE
		wg.Go(func() {}) // NORACE
		wg.Go(func() {}) // NORACE
	})
	wg.Wait() // NORACE
}

type conn struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// send adds under the lock that the flag is set under.
func (c *conn) send() {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return
	}
	c.wg.Add(1) // NORACE
	c.mu.Unlock()
	c.wg.Done()
}

func (c *conn) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.wg.Wait() // NORACE
}

func flagged() {
	c := new(conn)
	done := make(chan bool)
	go func() {
		c.send()
		close(done)
	}()
	c.close()
	<-done
}

// told waits when the goroutine that adds says that it has.
func told() {
	var wg sync.WaitGroup
	ready := make(chan bool)
	go func() {
		wg.Add(1) // NORACE
		close(ready)
		wg.Done()
	}()
	<-ready
	wg.Wait() // NORACE
}

// others wait for goroutines that are counted before they are started.
func others() {
	var wg, waiters sync.WaitGroup
	wg.Add(2) // NORACE
	for i := 0; i < 2; i++ {
		go func() { wg.Done() }()
	}
	for i := 0; i < 2; i++ {
		waiters.Add(1) // NORACE
		go func() {
			defer waiters.Done()
			wg.Wait() // NORACE
		}()
	}
	waiters.Wait() // NORACE
}

// underLock adds and waits under one lock.
func underLock() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() {
		mu.Lock()
		wg.Add(1) // NORACE
		mu.Unlock()
		wg.Done()
		close(done)
	}()
	mu.Lock()
	wg.Wait() // NORACE
	mu.Unlock()
	<-done
}

type worker struct{ wg sync.WaitGroup }

func (w *worker) start(n int) {
	for i := 0; i < n; i++ {
		w.wg.Add(1) // NORACE
		go func() {
			defer w.wg.Done()
		}()
	}
}

func (w *worker) stop() { w.wg.Wait() } // NORACE

func methods() {
	w := &worker{}
	w.start(3)
	w.stop()
}

func main() {
	plain()
	goes()
	counted()
	parameter()
	within()
	flagged()
	told()
	others()
	underLock()
	methods()
}
