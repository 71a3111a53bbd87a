// Package kept has boxes of which one may get the memory of another: from then on the lock
// of one box does not keep out who works on the other.
package kept

import "sync"

// Box is ready by New.
type Box struct {
	mu sync.Mutex
	s  []int
}

// New makes a box.
func New() *Box { return &Box{s: make([]int, 4)} }

// Set sets an element.
func (b *Box) Set(i, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.s[i] = v // RACE!
}

// Keep makes b keep what o has.
func (b *Box) Keep(o *Box) {
	o.mu.Lock()
	s := o.s
	o.mu.Unlock()
	b.mu.Lock()
	b.s = s
	b.mu.Unlock()
}

// Pair has two lists that may be exchanged with those of another one.
type Pair struct {
	mu   sync.Mutex
	list []int
}

// NewPair makes a pair.
func NewPair() *Pair { return &Pair{list: make([]int, 2)} }

// Swap exchanges the lists of two pairs, whose threads may have them in their hands.
func Swap(a, b *Pair) {
	a.mu.Lock()
	b.mu.Lock()
	a.list, b.list = b.list, a.list
	b.mu.Unlock()
	a.mu.Unlock()
}

// Borrow lets f work on the list, without its lock.
func (p *Pair) Borrow(v int) {
	p.mu.Lock()
	l := p.list
	p.mu.Unlock()
	l[0] = v // RACE!
}
