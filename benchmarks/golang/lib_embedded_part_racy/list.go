// Package list embeds a type that is not exported, whose exported method reads without the
// lock.
package list

import "sync"

type base struct {
	n int
}

func (b *base) add() { b.n++ } // RACE!

// Len is a method of what embeds it.
func (b *base) Len() int { return b.n } // RACE!

// List is safe for concurrent use.
type List struct {
	base
	mu sync.Mutex
}

// Add counts.
func (l *List) Add() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add()
}
