// Package table has an entry behind an atomic pointer, in a generic type.
package table

import "sync/atomic"

// Map is an entry that is replaced as a whole.
type Map[K comparable, V any] struct {
	table atomic.Pointer[table[K, V]]
	last  atomic.Pointer[V]
	loads atomic.Int64
}

type table[K comparable, V any] struct {
	k    K
	v    V
	used int
}

// New makes one.
func New[K comparable, V any]() *Map[K, V] {
	m := &Map[K, V]{}
	m.table.Store(&table[K, V]{})
	return m
}

// Load loads.
func (m *Map[K, V]) Load() (K, V) {
	m.loads.Add(1)
	t := m.table.Load()
	return t.k, t.v
}

// Last is what was stored last.
func (m *Map[K, V]) Last() *V { return m.last.Load() }

// Store stores.
func (m *Map[K, V]) Store(k K, v V) {
	for {
		old := m.table.Load()
		now := &table[K, V]{k: k}
		now.v = v
		if m.table.CompareAndSwap(old, now) {
			m.last.Store(&v)
			return
		}
	}
}

// Use counts without an order.
func (m *Map[K, V]) Use() {
	m.table.Load().used++ // RACE!
}
