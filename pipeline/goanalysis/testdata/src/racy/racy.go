/* want package:"packages" */ // Package main has races, an ignored one, and memory that a lock protects.
package main

import "sync"

var (
	mu      sync.Mutex
	counter int
	guarded int
	stat    int
	level   int
)

func worker() {
	counter++ // want `data race on counter: write by worker holding no locks, and write by worker holding no locks at .*racy.go:15:2; several instances`
	mu.Lock()
	guarded++
	mu.Unlock()
	stat++  //whoop:ignore a statistic that may be off
	level++ /* want "gives no reason" "data race on level" */ //whoop:ignore
}

func main() {
	go worker()
	go worker()
	mu.Lock()
	println(guarded)
	mu.Unlock()
	println(counter)
}
