// Package table has a table that is replaced as a whole.
package table

import "sync/atomic"

// Map is such a table.
type Map struct {
	table atomic.Pointer[table]
	prev  atomic.Pointer[table]
}

type table struct {
	m    map[string]int
	used *int
}

// New makes one.
func New() *Map {
	m := &Map{}
	m.table.Store(&table{m: map[string]int{}, used: new(int)})
	return m
}

// Load loads.
func (m *Map) Load(k string) int { return m.table.Load().m[k] }

// Store stores, in a table that nobody knows.
func (m *Map) Store(k string, v int) {
	for {
		old := m.table.Load()
		now := &table{m: map[string]int{}, used: new(int)}
		for l, w := range old.m {
			now.m[l] = w
		}
		now.m[k] = v
		*now.used = 1
		if m.table.CompareAndSwap(old, now) {
			return
		}
	}
}

// Count counts in what earlier tables have, too.
func (m *Map) Count() {
	used := new(int)
	for {
		old := m.prev.Load()
		*used++ // RACE!
		now := &table{used: used}
		m.prev.CompareAndSwap(old, now)
		if old != nil && *old.used > 3 { // RACE!
			return
		}
	}
}
