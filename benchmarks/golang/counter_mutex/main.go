// Two goroutines increment a local counter under a local lock.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	counter := 0
	add := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		counter += n // NORACE
	}
	go add(1)
	go func() {
		add(2)
	}()
	mu.Lock()
	fmt.Println(counter) // NORACE
	mu.Unlock()
}
