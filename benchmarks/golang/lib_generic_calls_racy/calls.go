// Package calls hands function values to generic functions, through others that are
// generic, too: they are called under other types than they were made with.
package calls

import "sync"

type job[T any] struct {
	f func(T)
	v T
}

func (j *job[T]) run() { each([]T{j.v}, j.f) }

func each[T any](vs []T, f func(T)) {
	for _, v := range vs {
		apply(f, v)
	}
}

func apply[A any](f func(A), a A) { f(a) }

// Pool runs functions.
type Pool[T any] struct {
	mu     sync.Mutex
	n      int
	last   T
	errors int
}

// New makes one.
func New[T any]() *Pool[T] { return &Pool[T]{} }

// Run makes a function of its own.
func (p *Pool[T]) Run(v T) {
	j := &job[T]{func(t T) {
		p.n++ // RACE!
	}, v}
	j.run()
}

// Each makes one for the elements of a slice.
func (p *Pool[T]) Each(vs []T) {
	each(vs, func(v T) {
		p.last = v // RACE!
	})
}

// Fail makes one of errors.
func (p *Pool[T]) Fail(err error) {
	apply(func(err error) {
		p.errors++ // RACE!
	}, err)
}
