// Which locks are held when a function has panicked.
package main

import "sync"

var mu sync.Mutex

var lost, kept int

// release gives its caller's lock back before it panics.
func release() {
	lost++ // RACE!
	mu.Unlock()
	panic("release")
}

func released() {
	defer func() {
		recover()
		lost++ // RACE!
	}()
	mu.Lock()
	release()
}

// keep has the lock when it panics.
func keep() {
	mu.Lock()
	kept++ // NORACE
	panic("keep")
}

func keeps() {
	defer func() {
		recover()
		kept++ // NORACE
		mu.Unlock()
	}()
	keep()
}

func main() {
	done := make(chan bool)
	go func() { released(); keeps(); done <- true }()
	released()
	keeps()
	<-done
}
