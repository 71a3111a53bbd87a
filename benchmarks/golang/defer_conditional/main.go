// A lock that is deferred on one path only.
package main

import "sync"

var mu sync.Mutex
var n int

func work(lock bool) {
	if lock {
		mu.Lock()
		defer mu.Unlock()
	}
	n++ // RACE!
}

func main() {
	go work(true)
	work(false)
}
