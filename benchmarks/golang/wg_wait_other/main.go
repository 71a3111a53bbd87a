// Another goroutine waits and then reads.
package main

import "sync"

var x int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		x = 1 // RACE: only the function that starts the goroutines gets the token
		wg.Done()
	}()
	done := make(chan bool)
	go func() {
		wg.Wait()
		println(x) // RACE: only the function that starts the goroutines gets the token
		done <- true
	}()
	<-done
}
