// Initialisation by a state: 0 not begun, 1 under way, 2 done. Who comes later waits until the state is not 0, and should wait for 2: if it
// comes while the initialisation is under way, it reads what is being written. It comes milliseconds later.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

var (
	state int32
	table [4]int
)

func get(i int) int {
	if atomic.CompareAndSwapInt32(&state, 0, 1) {
		for k := 0; k < len(table); k++ {
			table[k] = k * k // RACE!
		}
		atomic.StoreInt32(&state, 2)
	}
	for atomic.LoadInt32(&state) == 0 {
		time.Sleep(time.Millisecond)
	}
	return table[i] // RACE!
}

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		println(get(1))
	}()
	time.Sleep(5 * time.Millisecond)
	println(get(2))
	wg.Wait()
}
