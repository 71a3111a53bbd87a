// Package types calls function values of many types, generic ones among them: which
// function is meant is told by the number of its arguments, and each is called twice at
// once.
package types

import (
	"slices"
	"sync"
)

// Big takes several arguments' place.
type Big struct{ A, B, C, D string }

// Fn is a function of one argument.
type Fn[T any] func(T)

// Visit calls it.
func (f Fn[T]) Visit(x T) { f(x) }

type visitor[T any] interface{ Visit(T) }

type box[T any] struct {
	f  func(T)
	g  Fn[T]
	h  func(T) (T, error)
	fs []func(T)
	m  map[string]func(T, T) T
}

func (b *box[T]) run(x T) {
	b.f(x)
	b.g(x)
	b.h(x)
	for _, f := range b.fs {
		f(x)
	}
	for _, f := range b.m {
		f(x, x)
	}
}

func each[T any](xs []T, f func(T)) {
	for _, x := range xs {
		f(x)
	}
}

func both[K comparable, V any](m map[K]V, f func(K, V)) {
	for k, v := range m {
		f(k, v)
	}
}

func with[T, R any](x T, f func(T) R) R { return f(x) }

func conv[F ~func(T), T any](f F, x T) { f(x) }

func unboxed[T any](f any, x T) { f.(func(T))(x) }

func received[T any](c chan func(T), x T) { (<-c)(x) }

func walk[T any](v visitor[T], x T) { v.Visit(x) }

func seq[T any](x T) func(func(T) bool) {
	return func(yield func(T) bool) { yield(x) }
}

// S counts.
type S struct {
	mu                                             sync.Mutex
	n                                              [20]int
	a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q int

	big *box[Big]
}

// New makes one.
func New() *S {
	s := &S{}
	s.big = &box[Big]{
		f:  func(Big) { s.a++ },                                                        // RACE!
		g:  func(Big) { s.b++ },                                                        // RACE!
		h:  func(b Big) (Big, error) { s.c++; return b, nil },                          // RACE!
		fs: []func(Big){func(Big) { s.d++ }},                                           // RACE!
		m:  map[string]func(Big, Big) Big{"x": func(b, _ Big) Big { s.e++; return b }}, // RACE!
	}
	return s
}

// Run calls what is in the box.
func (s *S) Run() { s.big.run(Big{}) }

// Each calls generic functions.
func (s *S) Each() {
	each([]string{"a"}, func(string) { s.f++ })                            // RACE!
	each([]Big{{}}, func(Big) { s.g++ })                                   // RACE!
	both(map[string]Big{"a": {}}, func(string, Big) { s.h++ })             // RACE!
	with("x", func(string) Big { s.i++; return Big{} })                    // RACE!
	with(Big{}, func(Big) error { s.j++; return nil })                     // RACE!
	conv(func(Big) { s.k++ }, Big{})                                       // RACE!
	unboxed(func(Big) { s.l++ }, Big{})                                    // RACE!
	walk[Big](Fn[Big](func(Big) { s.m++ }), Big{})                         // RACE!
	slices.SortFunc([]Big{{}, {}}, func(_, _ Big) int { s.o++; return 0 }) // RACE!
	for range seq(Big{}) {
		s.p++ // RACE!
	}
	c := make(chan func(Big), 1)
	c <- func(Big) { s.q++ } // RACE!
	received(c, Big{})
}

// Locked is the twin.
func (s *S) Locked() {
	each([]Big{{}}, func(Big) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.n[0]++ // NORACE
	})
}
