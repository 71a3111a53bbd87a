// Package lib has a list with a lock, and iterators that look into it: who gets one uses it when others change the list.
package lib

import "sync"

// List is a list.
type List struct {
	mu sync.Mutex
	xs []int
}

// Add adds an element.
func (l *List) Add(x int) {
	l.mu.Lock()
	l.xs = append(l.xs, x) // RACE!
	l.mu.Unlock()
}

// Iterator goes through a list.
type Iterator struct {
	of *List
	at int
}

// Iterator begins at the first element.
func (l *List) Iterator() *Iterator { return &Iterator{of: l} }

// Next is the next element.
func (it *Iterator) Next() int {
	it.at++
	return it.of.xs[it.at] // RACE!
}

// Safe is the next element, too.
func (it *Iterator) Safe() int {
	it.of.mu.Lock()
	defer it.of.mu.Unlock()
	it.at++
	return it.of.xs[it.at]
}
