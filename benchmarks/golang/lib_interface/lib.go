// Package store hands out values of types that are not exported, in interfaces: users call their methods all the same.
package store

import "sync"

// Store keeps numbers.
type Store interface {
	Put(k string, n int)
	Get(k string) int
	Len() int
}

type memory struct {
	mu sync.Mutex
	m  map[string]int
	n  int
}

// New makes a store.
func New() Store {
	return &memory{m: map[string]int{}}
}

func (s *memory) Put(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = n // NORACE
	s.n++      // RACE!
}

func (s *memory) Get(k string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k] // NORACE
}

func (s *memory) Len() int {
	return s.n // RACE!
}

// Meter counts. It may be used by multiple goroutines at the same time.
type Meter interface{ Hit() }

type meter struct{ n int }

// NewMeter makes a meter.
func NewMeter() Meter { return new(meter) }

func (m *meter) Hit() {
	m.n++ // RACE!
}

// Walker walks.
type Walker interface{ Step() }

type walker struct{ at int }

// NewWalker makes a walker, for one goroutine.
func NewWalker() Walker { return new(walker) }

func (w *walker) Step() { w.at++ } // NORACE
