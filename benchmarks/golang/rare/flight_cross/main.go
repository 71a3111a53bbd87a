// A loader that lets only one request for a key through, and the others wait for it. Whether one is under way is asked in one critical
// section and noted in another: two first requests that cross both load into the entry. One comes milliseconds after the other.
package main

import (
	"sync"
	"time"
)

type entry struct {
	mu    sync.Mutex
	state int // 0 empty, 1 being loaded, 2 loaded
	value string
}

func (e *entry) get() string {
	for {
		e.mu.Lock()
		s := e.state // NORACE
		e.mu.Unlock()
		switch s {
		case 0:
			e.set(1)
			e.value = "loaded" // RACE!
			e.set(2)
		case 1:
			time.Sleep(time.Millisecond)
		default:
			return e.value // RACE!
		}
	}
}

func (e *entry) set(s int) {
	e.mu.Lock()
	e.state = s // NORACE
	e.mu.Unlock()
}

func main() {
	e := new(entry)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		println(e.get())
	}()
	time.Sleep(5 * time.Millisecond)
	println(e.get())
	wg.Wait()
}
