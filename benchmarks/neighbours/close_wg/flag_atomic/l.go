// WANT: verify | racy | an atomic flag is tested before the send, but not held over it
package flag_atomic

import "sync/atomic"

// Queue is safe for concurrent use.
type Queue struct {
	closed atomic.Bool
	jobs   chan func()
}

// New makes a queue.
func New() *Queue { return &Queue{jobs: make(chan func(), 32)} }

// Put queues f unless the queue is closed.
func (q *Queue) Put(f func()) (ok bool) {
	defer func() { _ = recover() }()
	if q.closed.Load() {
		return false
	}
	q.jobs <- f // RACE!
	return true
}

// Close is for any goroutine, and again.
func (q *Queue) Close() {
	if q.closed.CompareAndSwap(false, true) {
		close(q.jobs) // RACE!
	}
}
