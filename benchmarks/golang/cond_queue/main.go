// A queue with a condition variable.
package main

import "sync"

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
}

func newQueue() *queue {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(x int) {
	q.mu.Lock()
	q.items = append(q.items, x) // NORACE
	q.mu.Unlock()
	q.cond.Signal()
}

func (q *queue) get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 { // NORACE
		q.cond.Wait()
	}
	x := q.items[0]       // NORACE
	q.items = q.items[1:] // NORACE
	return x
}

func main() {
	q := newQueue()
	go q.put(1)
	go q.put(2)
	println(q.get(), q.get())
}
