// Workers write a shared sum without a lock; the WaitGroup orders only the end.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	sum := 0
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sum += i // RACE!
		}()
	}
	wg.Wait()
	fmt.Println(sum) // NORACE
}
