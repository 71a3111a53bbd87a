// A WaitGroup is made anew after what it is to count: it waits for nobody.
package main

import (
	"sync"
	"time"
)

var n int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	wg = sync.WaitGroup{}
	go func() {
		time.Sleep(time.Millisecond)
		n++ // RACE!
	}()
	wg.Wait()
	println(n) // RACE!
	reset()
}

// reset overwrites a group while its goroutine is counted down.
func reset() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done() // RACE!
	}()
	wg = sync.WaitGroup{} // RACE!
	wg.Wait()
}
