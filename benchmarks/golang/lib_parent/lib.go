// Package lib_parent has a pool whose objects know it.
package lib_parent

import "sync"

// stack keeps the resources.
type stack struct{ arr []*Resource }

func (s *stack) push(rs ...*Resource) { s.arr = append(s.arr, rs...) }

func (s *stack) pop() *Resource {
	k := len(s.arr) - 1
	r := s.arr[k]
	s.arr[k] = nil
	s.arr = s.arr[:k]
	return r
}

// Pool is for concurrent use.
type Pool struct {
	mu       sync.Mutex
	old, new *stack
	gets     int
}

// New makes one.
func New() *Pool {
	s := &stack{}
	return &Pool{old: s, new: s}
}

// Get gives a resource to the caller.
func (p *Pool) Get() *Resource {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gets++
	if len(p.old.arr) == 0 {
		p.old, p.new = p.new, p.old
	}
	if len(p.old.arr) > 0 {
		return p.old.pop()
	}
	return &Resource{pool: p}
}

// Next begins a new stack.
func (p *Pool) Next() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.new = &stack{}
}

// Resource is one caller's until it is released. It knows its pool, so nothing is put into
// another one.
type Resource struct {
	pool *Pool
}

// Release gives it back.
func (r *Resource) Release() { r.pool.put(r) }

func (p *Pool) put(r *Resource) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.new.push(r)
}
