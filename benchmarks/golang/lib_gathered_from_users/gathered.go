// Package gathered has what functions of users hand to its own, and what containers of
// users have, in interfaces.
package gathered

import (
	"container/heap"
	"sync"
)

// Plain has no methods.
type Plain struct{ n int }

// Log keeps what it is given.
type Log struct {
	mu   sync.Mutex
	last any
}

// All keeps what an iterator of users has.
func (l *Log) All(seq func(yield func(any) bool)) {
	for v := range seq {
		l.mu.Lock()
		l.last = v // NORACE
		l.mu.Unlock()
	}
}

// Count writes it.
func (l *Log) Count() {
	l.mu.Lock()
	p, ok := l.last.(*Plain) // NORACE
	l.mu.Unlock()
	if ok {
		p.n++ // RACE!
	}
}

// Line has a heap of users.
type Line struct {
	mu  sync.Mutex
	top any
}

// Take takes the least.
func (l *Line) Take(h heap.Interface) {
	v := heap.Pop(h)
	l.mu.Lock()
	l.top = v // NORACE
	l.mu.Unlock()
}

type mark struct{ n int }

// Mark is a mark.
type Mark struct{ m *mark }

// NewMark makes one.
func NewMark() Mark { return Mark{&mark{}} }

// Count writes what it took.
func (l *Line) Count() {
	l.mu.Lock()
	m, ok := l.top.(Mark) // NORACE
	l.mu.Unlock()
	if ok {
		m.m.n++ // RACE!
	}
}
