// Main waits until a counter says that the goroutines are done: an atomic one, and one under
// a lock.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

var (
	busy   atomic.Int32
	mu     sync.Mutex
	all    = sync.NewCond(&mu)
	done   int
	first  [4]int
	second [4]int
)

func one(i int) {
	first[i] = i // NORACE
	busy.Add(-1)
}

func two(i int) {
	second[i] = i // NORACE
	mu.Lock()
	done++
	mu.Unlock()
	all.Signal()
}

func main() {
	for i := range 4 {
		busy.Add(1)
		go one(i)
	}
	for busy.Load() != 0 {
		runtime.Gosched()
	}
	for i := range 4 {
		go two(i)
	}
	mu.Lock()
	for done < 4 {
		all.Wait()
	}
	mu.Unlock()
	println(first[0]+first[1], second[0]+second[1]) // NORACE
}
