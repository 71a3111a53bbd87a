// The body of a loop over a library's iterator is run by the iterator, in the goroutine that loops.
package main

import (
	"maps"
	"slices"
	"sync"
)

func main() {
	n, m := 0, map[int]int{1: 1}
	go func() {
		for k := range maps.Keys(m) {
			n += k // RACE!
		}
	}()
	n++ // RACE!

	var mu sync.Mutex
	sum := 0
	go func() {
		for _, v := range slices.All([]int{1, 2}) {
			mu.Lock()
			sum += v
			mu.Unlock()
		}
	}()
	mu.Lock()
	sum++
	mu.Unlock()
}
