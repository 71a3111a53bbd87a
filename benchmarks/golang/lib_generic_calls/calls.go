// Package calls has function values of several types with one parameter each, and generic
// functions: a call finds the functions of its own type, and those that may be of it where
// type parameters stand for types.
package calls

import "sync"

// Options configure a pool.
type Options struct {
	OnPanic func(any)
	Size    int
}

// Option sets one.
type Option func(*Options)

// WithSize sets the size.
func WithSize(n int) Option {
	return func(o *Options) { o.Size = n } // NORACE
}

// WithAll sets all.
func WithAll(all Options) Option {
	return func(o *Options) { *o = all } // NORACE
}

type runner interface{ run() }

type job[T any] struct {
	f func(T)
	v T
}

func (j *job[T]) run() { each([]T{j.v}, j.f) }

func each[T any](vs []T, f func(T)) {
	for _, v := range vs {
		f(v)
	}
}

// Pool runs functions.
type Pool[T any] struct {
	mu   sync.Mutex
	opts *Options
	f    func(T)
	jobs []runner
}

// New makes one.
func New[T any](f func(T), opts ...Option) *Pool[T] {
	o := &Options{}
	for _, opt := range opts {
		opt(o)
	}
	return &Pool[T]{opts: o, f: f}
}

// Add adds a job.
func (p *Pool[T]) Add(v T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.jobs) < p.opts.Size { // NORACE
		p.jobs = append(p.jobs, &job[T]{p.f, v})
	}
}

// Run runs them.
func (p *Pool[T]) Run() {
	defer func() {
		if r := recover(); r != nil {
			if f := p.opts.OnPanic; f != nil { // NORACE
				f(r)
			}
		}
	}()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, j := range p.jobs {
		j.run()
	}
}
