// A WaitGroup is used for a second round while somebody else may still be in Wait of the first, which panics then.
package main

import "sync"

func quiet() { recover() }

// twice waits in two goroutines, and goes on when its own Wait has returned.
func twice() {
	var wg sync.WaitGroup
	done := make(chan bool)
	wg.Add(1)
	go wg.Done()
	go func() {
		defer close(done)
		defer quiet()
		wg.Wait() // RACE!
	}()
	wg.Wait()
	wg.Add(1) // RACE!
	go wg.Done()
	<-done
}

// loop begins a round in each iteration.
func loop() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1) // RACE!
		go wg.Done()
		go func() {
			defer quiet()
			wg.Wait() // RACE!
		}()
		wg.Wait()
	}
}

// crew is used again by Go.
type crew struct {
	wg sync.WaitGroup
}

func (c *crew) rounds() {
	for range 2 {
		c.wg.Go(func() {}) // RACE!
		c.wg.Wait()        // NORACE
	}
}

func (c *crew) watch() {
	defer quiet()
	c.wg.Wait() // RACE!
}

var one = &crew{}

func main() {
	defer quiet()
	twice()
	loop()
	go one.watch()
	one.rounds()
}
