// WANT: verify | racy | all synchronisation is a sync.Cond made with its own mutex; Peek
// does not lock
package cond_queue

import "sync"

// Queue is a blocking queue.
type Queue struct {
	ready *sync.Cond
	items []string
}

// New makes a queue.
func New() *Queue { return &Queue{ready: sync.NewCond(new(sync.Mutex))} }

// Push adds s.
func (q *Queue) Push(s string) {
	q.ready.L.Lock()
	q.items = append(q.items, s) // RACE!
	q.ready.L.Unlock()
	q.ready.Signal()
}

// Pop waits for an item.
func (q *Queue) Pop() string {
	q.ready.L.Lock()
	defer q.ready.L.Unlock()
	for len(q.items) == 0 {
		q.ready.Wait()
	}
	s := q.items[0]
	q.items = q.items[1:] // RACE!
	return s
}

// Peek tells whether Pop would wait.
func (q *Queue) Peek() bool { return len(q.items) > 0 } // RACE!
