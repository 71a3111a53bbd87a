// A lost wake-up: the consumer looks into the queue, finds it empty and goes to wait; a producer that comes in between wakes nobody, as
// nobody waits yet. The watchdog of the consumer's wait then empties the queue without the lock, for "the producer must be dead".
package main

import (
	"sync"
	"time"
)

type queue struct {
	mu    sync.Mutex
	items []int
	wake  chan bool
}

func (q *queue) push(n int) {
	q.mu.Lock()
	q.items = append(q.items, n) // RACE!
	q.mu.Unlock()
	select {
	case q.wake <- true:
	default: // nobody waits
	}
}

func (q *queue) pop() int {
	q.mu.Lock()
	for len(q.items) == 0 { // NORACE
		q.mu.Unlock()
		select {
		case <-q.wake:
		case <-time.After(2 * time.Second):
			n := len(q.items) // RACE!
			q.items = nil     // RACE!
			return n
		}
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	n := q.items[0]       // NORACE
	q.items = q.items[1:] // NORACE
	return n
}

func main() {
	q := &queue{wake: make(chan bool)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		println(q.pop())
		println(q.pop())
	}()
	time.Sleep(50 * time.Millisecond)
	q.push(1)
	time.Sleep(50 * time.Millisecond)
	q.push(2)
	wg.Wait()
}
