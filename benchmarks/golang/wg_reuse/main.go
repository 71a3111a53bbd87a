// A WaitGroup that is used twice: the second round runs beside main's write.
package main

import "sync"

var x int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // NORACE
	}()
	wg.Wait()
	x = 2 // NORACE
	wg.Add(1)
	go func() {
		defer wg.Done()
		x++ // RACE!
	}()
	x = 3 // RACE!
	wg.Wait()
	println(x) // NORACE
}
