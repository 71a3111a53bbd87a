// Package pools: two types embed one that has the lock and methods of both.
package pools

import "sync"

type common struct {
	mu      sync.Mutex
	running int
	tuned   int
}

// Running is how many run.
func (c *common) Running() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running // NORACE
}

// Tune changes the size.
func (c *common) Tune(n int) {
	c.tuned = n // RACE!
}

// Pool is for functions.
type Pool struct {
	*common
}

// New makes a Pool.
func New() *Pool { return &Pool{&common{}} }

// Submit runs f.
func (p *Pool) Submit(f func()) {
	p.mu.Lock()
	p.running++ // NORACE
	p.mu.Unlock()
	go f()
}

// FuncPool is for one function.
type FuncPool struct {
	*common
	f func(int)
}

// NewFunc makes a FuncPool.
func NewFunc(f func(int)) *FuncPool { return &FuncPool{&common{}, f} }

// Invoke runs it.
func (p *FuncPool) Invoke(n int) {
	p.mu.Lock()
	p.running++ // NORACE
	p.mu.Unlock()
	go p.f(n)
}
