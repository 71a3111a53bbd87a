// Package share is lib_share_builders, repaired: what is made has memory of its own.
package share

import "sync"

// Builder builds tables.
type Builder struct{ m map[string]int }

// NewBuilder makes one.
func NewBuilder() *Builder { return &Builder{m: map[string]int{}} }

// With sets one.
func (b *Builder) With(k string, v int) *Builder { b.m[k] = v; return b }

// Build makes a table of a copy of the map.
func (b *Builder) Build() *Table {
	m := map[string]int{}
	for k, v := range b.m {
		m[k] = v
	}
	return &Table{m: m}
}

// Table is a table.
type Table struct {
	mu sync.Mutex
	m  map[string]int
}

// Inc counts.
func (t *Table) Inc(k string) { t.mu.Lock(); t.m[k]++; t.mu.Unlock() } // NORACE

// Meter counts.
type Meter struct {
	mu    sync.Mutex
	total *int
}

// Option sets something in a meter.
type Option func(*Meter)

// Totalled counts from zero.
func Totalled() Option {

	return func(m *Meter) { m.total = new(int) }
}

// NewMeter makes a meter.
func NewMeter(opts ...Option) *Meter {
	m := &Meter{total: new(int)}
	for _, o := range opts {
		o(m)
	}
	return m
}

// Add counts.
func (m *Meter) Add(n int) { m.mu.Lock(); *m.total += n; m.mu.Unlock() } // NORACE

// Scope has a number of its own, and one for what is made of it.
type Scope struct {
	mu  sync.Mutex
	own *int
	all *int
}

// Root makes the first one.
func Root() *Scope { return &Scope{own: new(int), all: new(int)} }

// Child makes one with numbers of its own.
func (s *Scope) Child() *Scope {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Scope{own: new(int), all: new(int)}
}

// Inc counts.
func (s *Scope) Inc() { s.mu.Lock(); *s.own++; s.mu.Unlock() } // NORACE
