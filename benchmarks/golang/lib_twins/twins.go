// Package twins has types of which two values share something: the lock in one of them does not protect it.
package twins

import (
	"context"
	"log/slog"
	"sync"
)

var total int

// Meter has a total for all meters.
type Meter struct {
	mu sync.Mutex
	n  int
}

// Add counts.
func (m *Meter) Add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n += n   // NORACE
	total += n // RACE!
}

// Options can be merged.
type Options struct {
	mu sync.Mutex
	kv map[string]string
}

// Set sets one.
func (o *Options) Set(k, v string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kv == nil {
		o.kv = map[string]string{} // RACE!
	}
	o.kv[k] = v // RACE!
}

// Merge takes what another one has, without its lock.
func (o *Options) Merge(other *Options) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k, v := range other.kv { // RACE!
		o.kv[k] = v // RACE!
	}
}

// List can be compared.
type List struct {
	mu sync.Mutex
	xs []int
}

// Push adds one.
func (l *List) Push(x int) { l.mu.Lock(); l.xs = append(l.xs, x); l.mu.Unlock() } // RACE!

// SameLength compares two, and locks one.
func SameLength(a, b *List) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.xs) == len(b.xs) // RACE!
}

var defaults = map[string]int{"size": 1}

// Config begins with the defaults, and shares them.
type Config struct {
	mu sync.Mutex
	m  map[string]int
}

// NewConfig makes one.
func NewConfig() *Config { return &Config{m: defaults} }

// Put sets one.
func (c *Config) Put(k string, v int) { c.mu.Lock(); c.m[k] = v; c.mu.Unlock() } // RACE!

// Scope has children that have its values.
type Scope struct {
	mu   sync.Mutex
	vals map[string]int
	kids []*Scope
}

// Root makes the first one.
func Root() *Scope { return &Scope{vals: map[string]int{}} }

// Child makes one below.
func (s *Scope) Child() *Scope {
	c := &Scope{vals: s.vals}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kids = append(s.kids, c) // NORACE
	return c
}

// Inc counts.
func (s *Scope) Inc(k string) { s.mu.Lock(); s.vals[k]++; s.mu.Unlock() } // RACE!

// Handler keeps log records, those of the handlers that are made of it, too.
type Handler struct {
	mu   *sync.Mutex
	recs *[]slog.Record
}

// NewHandler makes one.
func NewHandler() *Handler { return &Handler{mu: &sync.Mutex{}, recs: new([]slog.Record)} }

// Enabled is always so.
func (h *Handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps a record.
func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	*h.recs = append(*h.recs, r) // RACE!
	return nil
}

// WithAttrs makes a handler with a lock of its own.
func (h *Handler) WithAttrs([]slog.Attr) slog.Handler {
	return &Handler{mu: &sync.Mutex{}, recs: h.recs}
}

// WithGroup returns the handler.
func (h *Handler) WithGroup(string) slog.Handler { return h }

// Tree has nodes that lead to its root.
type Tree struct {
	mu   sync.Mutex
	root *Tree
	vals map[string]int
}

// NewTree makes a root.
func NewTree() *Tree {
	t := &Tree{vals: map[string]int{}}
	t.root = t
	return t
}

// Below makes a node.
func (t *Tree) Below() *Tree { return &Tree{root: t.root} }

// Count counts in the root, under the node's own lock.
func (t *Tree) Count(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.root.vals[k]++ // RACE!
}

// Bag is a set that its constructor fills.
type Bag[T comparable] struct {
	mu sync.Mutex
	m  map[T]bool
}

// NewBag makes one.
func NewBag[T comparable]() *Bag[T] { return &Bag[T]{m: map[T]bool{}} }

// Add adds an element.
func (b *Bag[T]) Add(t T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[t] = true // RACE!
}

// Join adds those of another one, without its lock.
func (b *Bag[T]) Join(other *Bag[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for t := range other.m { // RACE!
		b.m[t] = true // RACE!
	}
}
