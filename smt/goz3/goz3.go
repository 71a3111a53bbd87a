// Package goz3 decides smt terms with Z3 through the binding github.com/aclements/go-z3.
// It is the second opinion on package z3, which calls libz3 directly: both decide the
// same terms, and tests hold them against each other.
//
// A context of Z3 takes milliseconds and some 20 MB. So contexts are pooled: each worker
// has one, and a solver that is not needed any more is reset and used again.
//
//	pool := goz3.NewPool(goz3.Options{Timeout: 10 * time.Second})
//	x := pool.Get() // an smt.Solvers
//	defer x.Close() // gives its context back to the pool
//	s, err := x.New()
//	defer s.Close()
//
// What the binding lacks, compared with package z3: parameters of solvers (no seed, no
// simple solver), and SIGINT, whose handler Z3 replaces during a check.
package goz3

import (
	"sync"
	"time"

	"github.com/aclements/go-z3/z3"

	"whoop/smt"
)

// Options configure the solvers of a pool.
type Options struct {
	// Timeout bounds one Check; 0 means none. Z3 counts in milliseconds.
	Timeout time.Duration
}

// Pool keeps the contexts that no worker uses. It may be used by several goroutines.
type Pool struct {
	opt  Options
	mu   sync.Mutex
	free []*environment // contexts that are not used now
}

// NewPool returns a pool without contexts.
func NewPool(opt Options) *Pool { return &Pool{opt: opt} }

// Get returns an environment for one worker: one that was given back, or else a new one.
func (p *Pool) Get() smt.Solvers {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		x := p.free[n-1]
		p.free = p.free[:n-1]
		return x
	}
	cfg := z3.NewContextConfig()
	if p.opt.Timeout > 0 {
		cfg.SetUint("timeout", uint(p.opt.Timeout/time.Millisecond))
	}
	c := z3.NewContext(cfg)
	return &environment{pool: p, c: c, integer: c.IntSort(), funcs: map[string]z3.FuncDecl{}}
}

// environment is a context with its solvers.
type environment struct {
	pool    *Pool
	c       *z3.Context
	integer z3.Sort
	funcs   map[string]z3.FuncDecl // by name and number of arguments
	free    []*z3.Solver           // reset, without assertions
}

var _ smt.Solvers = (*environment)(nil)

// New returns a solver without assertions.
func (x *environment) New() (smt.Solver, error) {
	s := &Solver{x: x}
	if n := len(x.free); n > 0 {
		s.s, x.free = x.free[n-1], x.free[:n-1]
		return s, nil
	}
	err := try(func() { s.s = z3.NewSolver(x.c) })
	return s, err
}

// Close gives the context back to the pool.
func (x *environment) Close() {
	x.pool.mu.Lock()
	defer x.pool.mu.Unlock()
	x.pool.free = append(x.pool.free, x)
}
