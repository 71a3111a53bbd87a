// In the manner of kubernetes #79631: the queue's goroutine takes what is due out of the heap without the queue's lock, while the scheduler adds
// to it under the lock.
package main

import (
	"sync"
	"time"
)

type heap struct {
	items map[string]int
	queue []string
}

func (h *heap) add(k string) {
	h.items[k] = len(h.queue)    // RACE!
	h.queue = append(h.queue, k) // RACE!
}

func (h *heap) pop() {
	if len(h.queue) == 0 { // RACE!
		return
	}
	k := h.queue[0]       // RACE!
	h.queue = h.queue[1:] // RACE!
	delete(h.items, k)    // RACE!
}

type priorityQueue struct {
	mu      sync.Mutex
	backoff heap
}

func (q *priorityQueue) flush() { q.backoff.pop() }

func (q *priorityQueue) add(k string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.backoff.add(k)
}

func main() {
	q := &priorityQueue{backoff: heap{items: map[string]int{}}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := 0; i < 3; i++ {
			q.flush()
			time.Sleep(time.Millisecond)
		}
	}()
	q.add("pod")
	wg.Wait()
}
