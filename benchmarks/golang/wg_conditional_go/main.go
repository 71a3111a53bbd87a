// Not every iteration starts a goroutine, but each one that starts is counted.
package main

import "sync"

var x [8]int

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		if i%2 == 0 {
			wg.Add(1)
			go func() {
				x[0]++ // RACE!
				wg.Done()
			}()
		}
	}
	wg.Wait()
	println(x[0]) // NORACE
}
