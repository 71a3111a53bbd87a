// As local_mutex_function, without the lock at one place.
package main

import "sync"

func count(n int) int {
	var mu sync.Mutex
	total := 0
	for i := 0; i < n; i++ {
		go func() {
			mu.Lock()
			total += i // RACE!
			mu.Unlock()
		}()
	}
	return total // RACE!
}

func main() {
	println(count(3))
	println(count(4))
}
