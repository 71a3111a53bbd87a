// The pointer to the mutex is replaced: two locks in turn.
package main

import "sync"

var mu = &sync.Mutex{}
var n int

func inc() {
	m := mu // RACE!
	m.Lock()
	n++ // RACE!
	m.Unlock()
}

func main() {
	go inc()
	mu = &sync.Mutex{} // RACE!
	inc()
}
