// Package set has a generic map whose values are nothing, and ranges over it with a
// function that has no more parameters than that leaves.
package set

import "sync"

// Map is a map with a lock.
type Map[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

// Range calls f with each element.
func (m *Map[K, V]) Range(f func(K, V) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, v := range m.m {
		if !f(k, v) {
			return
		}
	}
}

// Bag is a set.
type Bag[K comparable] struct {
	m    Map[K, struct{}]
	seen int
}

// Each counts.
func (b *Bag[K]) Each() {
	var m *Map[K, struct{}] = &Map[K, struct{}]{m: map[K]struct{}{}}
	m.Range(func(K, struct{}) bool {
		b.seen++ // RACE!
		return true
	})
}
