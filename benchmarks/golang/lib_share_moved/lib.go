// Package lib_share_moved has values with parts, whose own methods move what they have
// from one to another.
package lib_share_moved

import "sync"

type piece struct{ n int }

// Part is handed out by its owner.
type Part struct {
	mu sync.Mutex
	p  *piece
}

func (x *Part) get() *piece {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.p
}

// Take makes it lead to what another one leads to.
func (x *Part) Take(y *Part) {
	p := y.get()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.p = p
}

// Owner has a part.
type Owner struct {
	mu   sync.Mutex
	part *Part
}

// New makes one.
func New() *Owner { return &Owner{part: &Part{p: &piece{}}} }

// Part is its part.
func (o *Owner) Part() *Part { return o.part }

// Inc counts.
func (o *Owner) Inc() {
	p := o.part.get()
	o.mu.Lock()
	defer o.mu.Unlock()
	p.n++ // RACE!
}
