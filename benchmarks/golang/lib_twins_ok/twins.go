// Package twins is lib_twins, repaired.
package twins

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
)

var total atomic.Int64

// Meter has a total for all meters.
type Meter struct {
	mu sync.Mutex
	n  int
}

// Add counts.
func (m *Meter) Add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n += n // NORACE
	total.Add(int64(n))
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
	if o.kv == nil { // NORACE
		o.kv = map[string]string{} // NORACE
	}
	o.kv[k] = v // NORACE
}

func (o *Options) all() map[string]string {
	o.mu.Lock()
	defer o.mu.Unlock()
	kv := map[string]string{}
	for k, v := range o.kv { // NORACE
		kv[k] = v // NORACE
	}
	return kv
}

// Merge takes what another one has.
func (o *Options) Merge(other *Options) {
	for k, v := range other.all() { // NORACE
		o.Set(k, v)
	}
}

// List can be compared.
type List struct {
	mu sync.Mutex
	xs []int
}

// Push adds one.
func (l *List) Push(x int) { l.mu.Lock(); l.xs = append(l.xs, x); l.mu.Unlock() } // NORACE

// Len is the length.
func (l *List) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.xs) // NORACE
}

// SameLength compares two.
func SameLength(a, b *List) bool {
	n := a.Len()
	b.mu.Lock()
	defer b.mu.Unlock()
	return n == len(b.xs) // NORACE
}

var defaults = map[string]int{"size": 1}

// Config begins with a copy of the defaults.
type Config struct {
	mu sync.Mutex
	m  map[string]int
}

// NewConfig makes one.
func NewConfig() *Config {
	m := map[string]int{}
	for k, v := range defaults {
		m[k] = v
	}
	return &Config{m: m}
}

// Put sets one.
func (c *Config) Put(k string, v int) { c.mu.Lock(); c.m[k] = v; c.mu.Unlock() } // NORACE

// Scope has children with values of their own.
type Scope struct {
	mu   sync.Mutex
	vals map[string]int
	kids []*Scope
}

// Root makes the first one.
func Root() *Scope { return &Scope{vals: map[string]int{}} }

// Child makes one below.
func (s *Scope) Child() *Scope {
	c := &Scope{vals: map[string]int{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kids = append(s.kids, c) // NORACE
	return c
}

// Inc counts.
func (s *Scope) Inc(k string) { s.mu.Lock(); s.vals[k]++; s.mu.Unlock() } // NORACE

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
	*h.recs = append(*h.recs, r) // NORACE
	return nil
}

// WithAttrs makes a handler with the same lock.
func (h *Handler) WithAttrs([]slog.Attr) slog.Handler { return &Handler{mu: h.mu, recs: h.recs} }

// WithGroup returns the handler.
func (h *Handler) WithGroup(string) slog.Handler { return h }
