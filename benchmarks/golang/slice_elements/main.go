// Each goroutine writes its own element.
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	out := make([]int, 4)
	for i := range out {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = i * i // NORACE
		}()
	}
	wg.Wait()
	println(out[0]) // NORACE
}
