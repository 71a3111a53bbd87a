// The loop starts more goroutines than were counted.
package main

import "sync"

var x int

func main() {
	var wg sync.WaitGroup
	n := 4
	wg.Add(n - 1)
	for i := 0; i < n; i++ {
		go func() {
			defer wg.Done()
			if i == 0 {
				x = 1 // RACE!
			}
		}()
	}
	wg.Wait()
	println(x) // RACE!
}
