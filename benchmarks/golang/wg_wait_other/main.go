// Another goroutine waits and then reads.
package main

import "sync"

var x int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		x = 1 // NORACE
		wg.Done()
	}()
	done := make(chan bool)
	go func() {
		wg.Wait()
		println(x) // NORACE
		done <- true
	}()
	<-done
}
