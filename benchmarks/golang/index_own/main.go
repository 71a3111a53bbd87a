// Goroutines that have the element with their number to themselves: captured, handed over, of a loop that counts, drawn from a counter.
package main

import (
	"sync"
	"sync/atomic"
)

var squares, doubles, counted [8]int

var next atomic.Int64
var drawn [64]int

var mu sync.Mutex
var seq int
var taken [64]int

func double(id int, wg *sync.WaitGroup) {
	defer wg.Done()
	doubles[id] = 2 * id // NORACE
}

func draw() {
	for {
		i := next.Add(1) - 1
		if i >= int64(len(drawn)) {
			return
		}
		drawn[i]++ // NORACE
	}
}

func take() {
	mu.Lock()
	i := seq // NORACE
	seq++    // NORACE
	mu.Unlock()
	if i < len(taken) {
		taken[i]++ // NORACE
	}
}

func main() {
	names := []string{"a", "b", "c"}
	lengths := make([]int, len(names))
	var wg sync.WaitGroup
	for i := range squares {
		wg.Add(1)
		go func() {
			defer wg.Done()
			squares[i] = i * i // NORACE
		}()
	}
	for i := 7; i >= 0; i-- {
		wg.Add(1)
		go double(i, &wg)
	}
	for i := 0; i < len(counted); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			counted[i]++ // NORACE
		}()
	}
	for i, name := range names {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			lengths[n] = len(name) // NORACE
		}(i)
	}
	wg.Wait()
	for range 4 {
		go draw()
		go take()
	}
	println(squares[1], doubles[1], counted[1], lengths[1]) // NORACE
}
