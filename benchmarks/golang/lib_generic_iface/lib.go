// Package lib_generic_iface gives users a generic type, which is not exported, behind a
// generic interface.
package lib_generic_iface

import "sync"

// Bag has values. It is safe for concurrent use.
type Bag[T comparable] interface {
	Add(v T)
	Has(v T) bool
	Len() int
	Each(f func(v T))
}

type bag[T comparable] struct {
	mu sync.RWMutex
	m  map[T]struct{}
	n  int
}

// New makes a bag.
func New[T comparable](vs ...T) Bag[T] {
	b := &bag[T]{m: map[T]struct{}{}}
	for _, v := range vs {
		b.Add(v)
	}
	return b
}

func (b *bag[T]) Add(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[v] = struct{}{} // NORACE
	b.n++               // RACE!
}

func (b *bag[T]) Has(v T) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	_, ok := b.m[v] // NORACE
	return ok
}

func (b *bag[T]) Len() int {
	return b.n // RACE!
}

func (b *bag[T]) Each(f func(v T)) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for v := range b.m { // NORACE
		f(v)
	}
}
