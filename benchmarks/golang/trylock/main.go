// TryLock's result decides.
package main

import "sync"

var mu sync.Mutex
var n int

func work() {
	if mu.TryLock() {
		n++ // NORACE
		mu.Unlock()
	}
}

func main() {
	go work()
	work()
}
