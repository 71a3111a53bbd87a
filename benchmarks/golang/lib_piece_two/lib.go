// Package lib_piece_two has values with a lock each, and objects that have two of them: what
// they do to one is under the lock of the other.
package lib_piece_two

import "sync"

// Pool is for concurrent use.
type Pool struct {
	mu   sync.Mutex
	n    int
	last *Pair
}

// New makes one.
func New() *Pool { return &Pool{} }

// Inc counts.
func (p *Pool) Inc() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++ // RACE!
}

// Pair has two pools.
type Pair struct{ first, second *Pool }

// Pair makes one of the same pool.
func (p *Pool) Pair() *Pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = &Pair{p, p}
	return p.last
}

// Join makes one of two.
func Join(p, q *Pool) *Pair { return &Pair{p, q} }

// Inc counts.
func (w *Pair) Inc() {
	w.first.mu.Lock()
	defer w.first.mu.Unlock()
	w.second.n++ // RACE!
}
