// Package lib has locks behind interfaces: one for each value, though all share a variable.
package lib

import "sync"

// Queue may be used by several goroutines.
type Queue struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

// NewQueue makes a queue.
func NewQueue() *Queue {
	q := &Queue{}
	q.cond = sync.NewCond(&q.mu)
	return q
}

// Put adds one.
func (q *Queue) Put() {
	q.cond.L.Lock()
	q.n++ // NORACE
	q.cond.L.Unlock()
	q.cond.Signal()
}

// Get takes one.
func (q *Queue) Get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.n == 0 { // NORACE
		q.cond.Wait()
	}
	q.n--      // NORACE
	return q.n // NORACE
}

var total int

// Box may be used by several goroutines.
type Box struct {
	l     sync.Locker
	own   int
	total *int
}

// NewBox makes a box.
func NewBox() *Box { return &Box{l: new(sync.Mutex), total: &total} }

// Inc counts.
func (b *Box) Inc() {
	b.l.Lock()
	defer b.l.Unlock()
	b.own++    // RACE: its lock lies behind a pointer, and boxes share a variable
	*b.total++ // RACE!
}
