// On one path the lock is given back too early.
package main

import "sync"

var mu sync.Mutex
var n int

func work(fast bool) {
	mu.Lock()
	if fast {
		mu.Unlock()
	}
	n++ // RACE!
	if !fast {
		mu.Unlock()
	}
}

func main() {
	go work(true)
	work(false)
}
