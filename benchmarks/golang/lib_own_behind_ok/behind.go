// Package behind has an interface, and a type with a lock that users may put behind it,
// which the package itself does not do.
package behind

import "sync"

// Doer does something.
type Doer interface{ Do() int }

// Base is a Doer.
type Base struct {
	mu sync.Mutex
	n  int
}

// Do counts.
func (b *Base) Do() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	return b.n
}

// Runner runs a Doer.
type Runner struct {
	mu   sync.Mutex
	d    Doer
	runs int
}

// New makes one.
func New(d Doer) *Runner { return &Runner{d: d} }

// Run runs it.
func (r *Runner) Run() int {
	r.mu.Lock()
	r.runs++
	r.mu.Unlock()
	return r.d.Do()
}
