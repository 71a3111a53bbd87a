// Package lib_share_batch makes several values at once, which lead to one object.
package lib_share_batch

import "sync"

type piece struct{ n int }

// Loop is made in a loop, by a function.
type Loop struct {
	mu sync.Mutex
	p  *piece
}

func newLoop(p *piece) *Loop { return &Loop{p: p} }

// Loops makes several.
func Loops(n int) []*Loop {
	p := &piece{}
	var out []*Loop
	for range n {
		out = append(out, newLoop(p))
	}
	return out
}

// Inc counts.
func (l *Loop) Inc() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.p.n++ // RACE!
}

// Rec is made by a function that calls itself.
type Rec struct {
	mu sync.Mutex
	p  *piece
}

func makeRecs(n int, p *piece, out []*Rec) []*Rec {
	if n == 0 {
		return out
	}
	return makeRecs(n-1, p, append(out, &Rec{p: p}))
}

// Recs makes several.
func Recs(n int) []*Rec { return makeRecs(n, &piece{}, nil) }

// Inc counts.
func (r *Rec) Inc() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.p.n++ // RACE!
}
