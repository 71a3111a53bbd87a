// The WaitGroup is copied: Wait on the original returns at once when the copies are counted.
package main

import "sync"

var x int

type job struct{ wg sync.WaitGroup }

func run(j *job) {
	x = 1 // RACE!
	j.wg.Done()
}

func main() {
	a, b := &job{}, &job{}
	b.wg.Add(1)
	go run(b)
	a.wg.Wait()
	println(x) // RACE!
}
