// Package lib_piece_ok has values with a lock each, and objects that have a piece of one
// and know it, which they lock.
package lib_piece_ok

import "sync"

// Pool is for concurrent use.
type Pool struct {
	mu   sync.Mutex
	buf  []int
	n    int
	last *Pair
}

// New makes one.
func New() *Pool { return &Pool{buf: make([]int, 1)} }

// Inc counts.
func (p *Pool) Inc() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buf[0]++
	p.n++
}

// Window has the buffer of a pool.
type Window struct {
	pool *Pool
	buf  []int
}

// Open makes one.
func (p *Pool) Open() *Window { return &Window{p, p.buf} }

// Inc counts.
func (w *Window) Inc() {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.buf[0]++
	w.pool.n++
}

// Pair has one pool twice.
type Pair struct{ first, second *Pool }

// Pair makes one of the same pool.
func (p *Pool) Pair() *Pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = &Pair{p, p}
	return p.last
}

// Inc counts.
func (w *Pair) Inc() {
	w.first.mu.Lock()
	defer w.first.mu.Unlock()
	w.second.n++
}
