// Package pool has generic types that are made of other generic types: what these have in
// them depends on type parameters, and is not one.
package pool

import "sync"

type stack[T any] struct {
	mu    sync.Mutex
	items []T
	n     int
}

func newStack[T any](xs ...T) *stack[T] { return &stack[T]{items: xs} }

func (s *stack[T]) push(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, x)
	s.n++ // RACE!
}

func (s *stack[T]) pop() (x T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.items) - 1; last >= 0 {
		x, s.items = s.items[last], s.items[:last]
		return x, true
	}
	return x, false
}

func (s *stack[T]) size() int { return s.n } // RACE!

func (s *stack[T]) each(f func(T)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.items {
		f(x)
	}
}

// Resource has a value.
type Resource[T any] struct {
	v    T
	uses int
	last int
}

// Pool keeps resources. What takes one out of the stack has it for itself; all may look at
// those that are in there.
type Pool[T any] struct {
	idle *stack[*Resource[T]]
	seen map[string]*pair[string, *Resource[T]]
	mu   sync.Mutex
}

type pair[A, B any] struct {
	a A
	b B
}

func (p *pair[A, B]) set(a A, b B) { p.a, p.b = a, b } // RACE!

// New makes one.
func New[T any]() *Pool[T] {
	return &Pool[T]{idle: newStack[*Resource[T]](), seen: map[string]*pair[string, *Resource[T]]{"": {}}}
}

// Put gives a value.
func (p *Pool[T]) Put(v T) { p.idle.push(&Resource[T]{v: v}) }

// Size takes no lock.
func (p *Pool[T]) Size() int { return p.idle.size() }

// Use counts what it does to all, under the lock of the stack.
func (p *Pool[T]) Use() {
	p.idle.each(func(r *Resource[T]) { r.uses++ })
}

// Last writes to the one on top without a lock.
func (p *Pool[T]) Last() {
	var r *Resource[T]
	p.idle.each(func(top *Resource[T]) { r = top })
	if r != nil {
		r.last++ // RACE!
	}
}

// Note takes no lock.
func (p *Pool[T]) Note(name string) {
	if e := p.seen[""]; e != nil {
		e.set(name, nil)
	}
}

func same[E any](e E) E { return e }

func values[K comparable, E any](m map[K]E) (out []E) {
	for _, e := range m {
		out = append(out, e)
	}
	return out
}

// Queue has nodes.
type Queue[T any] struct {
	mu    sync.Mutex
	first *node[T]
	nodes map[string]*node[T]
}

type node[T any] struct {
	v    T
	n, m int
}

// NewQueue makes one.
func NewQueue[T any](v T) *Queue[T] {
	return &Queue[T]{first: &node[T]{v: v}, nodes: map[string]*node[T]{"a": {v: v}}}
}

// Add counts without the lock.
func (q *Queue[T]) Add() { same(q.first).n++ } // RACE!

// AddAll gives the lock back before it counts.
func (q *Queue[T]) AddAll() {
	q.mu.Lock()
	all := values(q.nodes)
	q.mu.Unlock()
	for _, n := range all {
		n.m++ // RACE!
	}
}
