// A recovered panic.
package main

import "sync"

var mu sync.Mutex
var n int

func work(bad bool) {
	defer func() {
		recover()
	}()
	mu.Lock()
	defer mu.Unlock()
	if bad {
		panic("bad")
	}
	n++ // NORACE
}

func main() {
	go work(true)
	work(false)
}
