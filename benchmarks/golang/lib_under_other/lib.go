// Package lib_under_other runs a function on one value under the lock of another.
package lib_under_other

import "sync"

// Pool is for concurrent use.
type Pool struct {
	mu sync.Mutex
	n  int
}

// New makes one.
func New() *Pool { return &Pool{} }

// Inc counts.
func (p *Pool) Inc() {
	p.with(func() {
		p.n++ // RACE!
	})
}

func (p *Pool) with(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// Both counts in one under the lock of the other.
func Both(p, q *Pool) {
	p.with(func() {
		q.n++ // RACE!
	})
}
