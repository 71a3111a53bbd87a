// Package list embeds a type that is not exported, whose exported method is hidden by
// one that takes the lock.
package list

import "sync"

type base struct {
	n int
}

func (b *base) add() { b.n++ }

// Len is a method of what embeds it.
func (b *base) Len() int { return b.n }

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

// Len counts what was added.
func (l *List) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.base.Len()
}
