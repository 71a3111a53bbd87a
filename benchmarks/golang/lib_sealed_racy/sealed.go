// Package sealed has an interface that only its own types can be behind; its methods are
// called without a lock, also those of what is embedded in generic types.
package sealed

import "sync"

type worker interface {
	run()
	input(any)
	Stop()
}

type common struct{ last int }

func (c *common) Stop() {
	c.last++ // RACE!
}

type plain struct {
	common
	n int
}

func (p *plain) run() {
	p.n++ // RACE!
}

func (p *plain) input(v any) {
	p.n += v.(int) // RACE!
}

type of[T any] struct {
	worker
	got T
}

func (o *of[T]) run() {}

type deep[T any] struct {
	got T
	*common
	w worker
}

func (d *deep[T]) run()      { d.w.run() }
func (d *deep[T]) input(any) {}

// Pool has workers.
type Pool[T any] struct {
	mu sync.Mutex
	ws []worker
}

// New makes one.
func New[T any](v T) *Pool[T] {
	p := &plain{}
	return &Pool[T]{ws: []worker{&of[T]{worker: p, got: v}, &deep[T]{got: v, common: &common{}, w: p}}}
}

// Run runs one.
func (p *Pool[T]) Run(i int) { p.ws[i].run() }

// Input gives it something.
func (p *Pool[T]) Input(i int) { p.ws[i].input(i) }

// Stop stops it.
func (p *Pool[T]) Stop(i int) { p.ws[i].Stop() }
