// A loop over an integer: the WaitGroup counts its iterations before it.
package main

import "sync"

const workers = 4

var parts [workers]int
var all = []int{1, 2, 3}

func main() {
	var wg sync.WaitGroup
	wg.Add(workers)
	for i := range workers {
		go func() {
			defer wg.Done()
			parts[i] = i // NORACE
		}()
	}
	wg.Wait()
	println(parts[0]) // NORACE

	n := len(all)
	sums := make([]int, n)
	var second sync.WaitGroup
	second.Add(n)
	for i := range n {
		if i%2 == 0 {
			sums[i] = 1 // NORACE
		}
		go func() {
			defer second.Done()
			sums[i] += all[i] // NORACE
		}()
	}
	second.Wait()
	println(len(sums), sums[0]) // NORACE
}
