// Package share makes two values share memory that it finds behind structs, other values, interfaces and type parameters.
package share

import "sync"

// Set is a set.
type Set struct {
	mu sync.Mutex
	m  map[string]int
}

// NewSet makes one.
func NewSet() *Set { return &Set{m: map[string]int{}} }

// Inc counts.
func (s *Set) Inc(k string) { s.mu.Lock(); s.m[k]++; s.mu.Unlock() } // RACE!

// Sets are two.
type Sets struct{ A, B *Set }

// Link gives both one map.
func Link(s Sets) {
	s.A.mu.Lock()
	s.B.mu.Lock()
	s.A.m = s.B.m
	s.B.mu.Unlock()
	s.A.mu.Unlock()
}

// Table is a table.
type Table struct {
	mu sync.Mutex
	m  map[string]int
}

// NewTable makes one.
func NewTable() *Table { return &Table{m: map[string]int{}} }

// Inc counts.
func (t *Table) Inc(k string) { t.mu.Lock(); t.m[k]++; t.mu.Unlock() } // RACE!

// Join has two tables.
type Join struct {
	mu   sync.Mutex
	a, b *Table
}

// NewJoin keeps two.
func NewJoin(a, b *Table) *Join { return &Join{a: a, b: b} }

// Link gives both one map.
func (j *Join) Link() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.a.mu.Lock()
	j.b.mu.Lock()
	j.a.m = j.b.m
	j.b.mu.Unlock()
	j.a.mu.Unlock()
}

// Counter is what users get.
type Counter interface{ Inc() }

type counter struct {
	mu sync.Mutex
	n  *int
}

// New makes a counter, which is safe for concurrent use.
func New() Counter { return &counter{n: new(int)} }

func (c *counter) Inc() { c.mu.Lock(); *c.n++; c.mu.Unlock() } // RACE!

// Share gives both one number.
func Share(a, b any) {
	x, ok := a.(*counter)
	y, is := b.(*counter)
	if ok && is {
		x.mu.Lock()
		y.mu.Lock()
		x.n = y.n
		y.mu.Unlock()
		x.mu.Unlock()
	}
}

// Stack is a stack.
type Stack[T any] struct {
	mu sync.Mutex
	vs []T
}

// NewStack makes one with room.
func NewStack[T any]() *Stack[T] { return &Stack[T]{vs: make([]T, 1)} }

// Put sets the first.
func (s *Stack[T]) Put(v T) { s.mu.Lock(); s.vs[0] = v; s.mu.Unlock() } // RACE!

// Same gives both one array.
func Same[T any](a, b *Stack[T]) {
	a.mu.Lock()
	b.mu.Lock()
	a.vs = b.vs
	b.mu.Unlock()
	a.mu.Unlock()
}
