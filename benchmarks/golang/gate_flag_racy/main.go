// Who is done clears the flag, and so does who did not get it.
package main

import "sync"

var (
	mu      sync.Mutex
	running bool
	runs    int
)

func run() {
	mu.Lock()
	first := !running
	running = true
	mu.Unlock()
	if first {
		runs++ // RACE!
	}
	mu.Lock()
	running = false
	mu.Unlock()
}

func main() {
	for range 3 {
		go run()
	}
}
