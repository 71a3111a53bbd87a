// Goroutines that share elements: their numbers are not different ones.
package main

import (
	"sync"
	"sync/atomic"
)

var neighbour, halves, twice, changed [8]int

var a, b atomic.Int64
var drawn [64]int

func main() {
	var wg sync.WaitGroup
	for i := range neighbour {
		wg.Add(1)
		go func() {
			defer wg.Done()
			neighbour[(i+1)%2] = i // RACE!
		}()
	}
	for i := range halves {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			halves[n]++ // RACE!
		}(i / 2)
	}
	for k := range 2 {
		for i := range twice {
			wg.Add(1)
			go func() {
				defer wg.Done()
				twice[i] += k // RACE!
			}()
		}
	}
	for i := 0; i < len(changed); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			changed[i]++ // RACE!
		}()
		i++ // RACE!
	}
	for range 2 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			drawn[a.Add(1)]++ // RACE!
		}()
		go func() {
			defer wg.Done()
			drawn[b.Add(1)]++ // RACE!
		}()
	}
	wg.Wait()
}
