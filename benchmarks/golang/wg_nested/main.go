// Done is deferred in a closure; an inner goroutine is not waited for.
package main

import "sync"

var inner, outer int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer func() {
			wg.Done()
		}()
		outer = 1 // NORACE
		go func() {
			inner = 1 // RACE!
		}()
	}()
	wg.Wait()
	println(outer) // NORACE
	println(inner) // RACE!
}
