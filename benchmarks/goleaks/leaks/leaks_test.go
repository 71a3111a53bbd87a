// Package leaks has tests that leave a goroutine blocked for good when they return
// (…Leaks), and their repaired twins (…Ends).
package leaks

import (
	"sync"
	"testing"
)

// The first answer is taken; who comes later finds nobody to receive.
func TestFirstLeaks(t *testing.T) {
	c := make(chan int)
	for i := range 2 {
		go func() { c <- i }()
	}
	<-c
}

func TestFirstEnds(t *testing.T) {
	c := make(chan int, 2)
	for i := range 2 {
		go func() { c <- i }()
	}
	<-c
}

// A worker ranges over a channel that nobody closes.
func TestRangeLeaks(t *testing.T) {
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	c <- 1
}

func TestRangeEnds(t *testing.T) {
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	c <- 1
	close(c)
}

// An error ends the test before it says that the worker may stop.
func TestEarlyLeaks(t *testing.T) {
	c, stop := make(chan bool, 1), make(chan bool)
	go func() {
		c <- false
		<-stop
	}()
	if !<-c {
		return
	}
	close(stop)
}

func TestEarlyEnds(t *testing.T) {
	c, stop := make(chan bool, 1), make(chan bool)
	defer close(stop)
	go func() {
		c <- false
		<-stop
	}()
	if !<-c {
		return
	}
}

// A lock that is never given back: another one waits for it.
func TestLockLeaks(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
}

func TestLockEnds(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	mu.Unlock()
}

// One of two is counted back, so who waits does so for good.
func TestCountLeaks(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { wg.Wait() }()
	go wg.Done()
}

func TestCountEnds(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { wg.Wait() }()
	go wg.Done()
	wg.Done()
}

// Only an order in which the sender comes late leaves it blocked.
func TestSelectLeaks(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	default:
	}
}

func TestSelectEnds(t *testing.T) {
	c := make(chan int)
	go func() {
		select {
		case c <- 1:
		default:
		}
	}()
	select {
	case <-c:
	default:
	}
}
