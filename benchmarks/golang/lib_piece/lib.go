// Package lib_piece has values with a lock each, and objects that have a piece of one and
// know another: what they do to the piece is under the lock of the wrong value.
package lib_piece

import "sync"

// Pool is for concurrent use.
type Pool struct {
	mu  sync.Mutex
	buf []int
}

// New makes one.
func New() *Pool { return &Pool{buf: make([]int, 1)} }

// Inc counts.
func (p *Pool) Inc() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buf[0]++ // RACE!
}

// Window has the buffer of a pool.
type Window struct {
	pool *Pool
	buf  []int
}

// Open makes one of two pools.
func Open(p, q *Pool) *Window { return &Window{p, q.buf} }

// Inc counts.
func (w *Window) Inc() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.buf[0]++ // RACE!
}
