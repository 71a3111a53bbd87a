// What is unlocked by a conditional defer is not held in the caller.
package main

import "sync"

var mu sync.Mutex
var n int

func step(lock bool) {
	if lock {
		mu.Lock()
		defer mu.Unlock()
		println("locked")
	}
	println("step")
}

func work() {
	step(true)
	n++ // RACE!
}

func main() {
	go work()
	work()
}
