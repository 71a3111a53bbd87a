// Command defer_loop defers in loops.
package main

import "sync"

var (
	mu           sync.Mutex
	under, after int
	quit         = make(chan bool)
)

// What is deferred runs at the end, when the lock has been given back.
func work(n int) {
	mu.Lock()
	for range n {
		defer func() {
			after++ // RACE!
		}()
	}
	under++
	mu.Unlock()
}

// What is deferred before runs last.
func locked(n int) {
	mu.Lock()
	defer mu.Unlock()
	for range n {
		defer func() {
			under++
		}()
	}
}

func main() {
	go func() { work(1); locked(2); quit <- true }()
	work(2)
	locked(1)
	<-quit
}
