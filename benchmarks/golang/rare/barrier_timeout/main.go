// A barrier that gives up after two seconds, so that nobody waits for good: who gives up goes on into the next phase while the other one
// may still be in its own. The phases take milliseconds.
package main

import (
	"sync"
	"time"
)

type barrier struct {
	mu         sync.Mutex
	count, gen int
}

func (b *barrier) wait() {
	b.mu.Lock()
	gen := b.gen      // NORACE
	b.count++         // NORACE
	if b.count == 2 { // NORACE
		b.count, b.gen = 0, gen+1 // NORACE
	}
	b.mu.Unlock()
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		b.mu.Lock()
		passed := b.gen != gen // NORACE
		b.mu.Unlock()
		if passed {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// The cell is written by the one in phases 1 and 3, by the other in phase 2.
var cell int

func main() {
	var b barrier
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		cell = 1 // RACE!
		b.wait()
		b.wait()
		cell = 3 // RACE!
	}()
	b.wait()
	time.Sleep(time.Millisecond)
	cell = 2 // RACE!
	b.wait()
	wg.Wait()
	println(cell) // NORACE
}
