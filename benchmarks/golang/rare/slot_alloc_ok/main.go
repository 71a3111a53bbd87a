// The table of slot_alloc, repaired: reading and raising the number are one critical section, and the slot is written in it.
package main

import (
	"sync"
	"time"
)

type table struct {
	mu    sync.Mutex
	next  int
	slots [8]string
}

func (t *table) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slots[t.next] = name // NORACE
	t.next++               // NORACE
}

func main() {
	t := new(table)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.add("a")
	}()
	time.Sleep(5 * time.Millisecond)
	t.add("b")
	wg.Wait()
	println(t.next) // NORACE
}
