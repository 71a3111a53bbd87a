// After a recovered panic the lock is free.
package main

import "sync"

var mu sync.Mutex
var n int

func try() (ok bool) {
	defer func() {
		if recover() != nil {
			n++ // RACE!
		}
	}()
	mu.Lock()
	defer mu.Unlock()
	if n > 0 { // RACE!
		panic("too many")
	}
	n++ // RACE!
	return true
}

func main() {
	go try()
	go try()
	try()
}
