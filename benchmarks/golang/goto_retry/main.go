// A loop made of goto.
package main

import "sync"

var mu sync.Mutex
var n, tries int

func work() {
retry:
	mu.Lock()
	if n < 3 {
		n++ // NORACE
		mu.Unlock()
		tries++ // RACE!
		goto retry
	}
	mu.Unlock()
}

func main() {
	go work()
	work()
}
