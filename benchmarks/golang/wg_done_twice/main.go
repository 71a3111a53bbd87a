// One goroutine counts down for both.
package main

import "sync"

var a, b int

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		a = 1 // NORACE
		wg.Done()
		wg.Done()
	}()
	go func() {
		b = 1 // RACE!
	}()
	wg.Wait()
	println(a) // NORACE
	println(b) // RACE!
}
