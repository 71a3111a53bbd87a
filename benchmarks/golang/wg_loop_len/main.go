// Add(len(xs)) before a range loop.
package main

import "sync"

func main() {
	xs := []int{1, 2, 3}
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	wg.Add(len(xs))
	for _, v := range xs {
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			sum += v // NORACE
		}()
	}
	wg.Wait()
	println(sum) // NORACE
}
