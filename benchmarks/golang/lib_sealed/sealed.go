// Package sealed has interfaces that only its own types can be behind, some of them generic
// and with methods of what is embedded in them.
package sealed

import (
	"errors"
	"sync"
)

// ErrFull is returned.
var ErrFull = errors.New("full")

type worker interface {
	run()
	input(any)
	used() int
}

type queue interface {
	insert(worker) error
	all() []worker
}

type stack struct {
	items []worker
	kept  []worker
}

func (s *stack) insert(w worker) error {
	if len(s.items) > 10 {
		return ErrFull // NORACE
	}
	s.items = append(s.items, w) // NORACE
	return nil
}

func (s *stack) all() []worker {
	s.kept = append(s.kept[:0], s.items...) // NORACE
	return s.kept
}

type common struct{ last int }

func (c *common) used() int { return c.last } // NORACE

type plain struct {
	common
	n int
}

func (p *plain) run()      { p.n++ }        // NORACE
func (p *plain) input(any) { p.last = p.n } // NORACE

type of[T any] struct {
	worker
	common *common
	got    T
}

func (o *of[T]) run()      { o.common.last++ } // NORACE
func (o *of[T]) used() int { return o.common.used() }

// Pool has workers.
type Pool[T any] struct {
	mu sync.Mutex
	q  queue
}

// New makes one.
func New[T any]() *Pool[T] { return &Pool[T]{q: &stack{}} }

// Add makes a worker.
func (p *Pool[T]) Add(v T) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.q.insert(&of[T]{worker: &plain{}, common: &common{}, got: v}); err != nil {
		return err
	}
	return p.q.insert(&plain{})
}

// Run runs them.
func (p *Pool[T]) Run() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	ws := p.q.all()
	for i := range ws {
		ws[i].run()
		ws[i].input(i)
		n += ws[i].used()
		ws[i] = nil
	}
	return n
}
