// Workers write under a mutex, main reads after Wait without it.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			mu.Lock()
			sum += n // NORACE
			mu.Unlock()
		}(i)
	}
	wg.Wait()
	fmt.Println(sum) // NORACE
}
