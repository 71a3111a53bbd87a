// append to a shared slice from two goroutines.
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	var out []int
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out = append(out, i) // RACE!
		}()
	}
	wg.Wait()
	println(len(out)) // NORACE
}
