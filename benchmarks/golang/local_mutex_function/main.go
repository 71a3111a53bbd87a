// A function that is called repeatedly has its own lock and data each time.
package main

import "sync"

func count(n int) int {
	var mu sync.Mutex
	total := 0
	for i := 0; i < n; i++ {
		go func() {
			mu.Lock()
			total += i // NORACE
			mu.Unlock()
		}()
	}
	mu.Lock()
	defer mu.Unlock()
	return total // NORACE
}

func main() {
	println(count(3))
	println(count(4))
}
