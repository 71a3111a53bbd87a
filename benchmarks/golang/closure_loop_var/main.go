// Since Go 1.22 each iteration has its own variable.
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			println(i) // NORACE
		}()
	}
	wg.Wait()
}
