// Slots are handed out by number. The next number is read in one critical section and raised in another: two calls that cross get the same
// slot and write it at once. The calls are milliseconds apart.
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
	i := t.next // NORACE
	t.mu.Unlock()
	t.mu.Lock()
	t.next = i + 1 // NORACE
	t.mu.Unlock()
	t.slots[i] = name // RACE!
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
