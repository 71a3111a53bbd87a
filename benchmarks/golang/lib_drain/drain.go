// Package drain writes several buffers at once, which takes them out of their list.
package drain

import (
	"net"
	"sync"
)

// Queue is a queue of buffers.
type Queue struct {
	mu   sync.Mutex
	bufs net.Buffers
	page []byte
}

// New makes a queue.
func New() *Queue { return &Queue{page: make([]byte, 16), bufs: make(net.Buffers, 4)} }

// Send writes what there is.
func (q *Queue) Send(c net.Conn) {
	q.bufs.WriteTo(c) // RACE!
}

// Last looks at the last one.
func (q *Queue) Last() []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.bufs[len(q.bufs)-1] // RACE!
}

// Page writes the page, which it leaves as it is.
func (q *Queue) Page(c net.Conn) {
	b := net.Buffers{q.page, q.page}
	b.WriteTo(c) // NORACE
}

// First reads it.
func (q *Queue) First() byte { return q.page[0] } // NORACE
