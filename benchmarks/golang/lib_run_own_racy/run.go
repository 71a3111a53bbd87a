// Package run has a store that knows its transactions, into which others look, in several ways.
package run

import "sync"

// Store is a store.
type Store struct {
	mu    sync.Mutex
	txs   []*tx
	byID  map[int]*node
	gauge *int
	todo  func()
	flag  *bool
	same  *opts
}

// New makes a store.
func New() *Store { return &Store{byID: map[int]*node{}} }

type tx struct {
	id       int
	writable bool
	done     bool
	opts     opts
	root     *node
	steps    int
}

type opts struct{ fast, slow bool }

type node struct {
	t *tx
	v int
	w int
	c int
}

func (s *Store) begin(t *tx) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.root = &node{t: t}
	s.txs = append(s.txs, t) // NORACE: each store has its own array
	s.byID[len(s.byID)] = t.root
}

// Steps reads what a transaction counts without a lock.
func (s *Store) Steps() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, t := range s.txs { // NORACE
		n += t.steps  // RACE!
		n += t.root.v // RACE!
	}
	return n
}

// View counts in its transaction.
func (s *Store) View() {
	t := &tx{}
	s.begin(t)
	t.steps++                  // RACE!
	t.root.v++                 // RACE!
	go func() { t.root.w++ }() // RACE!
	t.root.w++                 // RACE!
	if t.writable {            // RACE!
		s.total() // set by Upgrade
	}
}

// Upgrade makes a transaction writable.
func (s *Store) Upgrade() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.txs[0].writable = true // RACE!
}

var total int

func (s *Store) total() {
	total++ // RACE!
}

// Count hands an address in something of its own to others, and a function.
func (s *Store) Count() {
	x := &node{}
	s.mu.Lock()
	s.gauge = &x.c
	s.todo = func() { x.w = 2 } // RACE!
	s.mu.Unlock()
	x.c++ // RACE!
	x.w++ // RACE!
}

// Gauge changes what Count counts.
func (s *Store) Gauge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	*s.gauge = 1 // RACE!
	s.todo()
}

var viaCopy, viaPointer, viaParam int

// Copy has a flag that is set by a copy of a struct.
func (s *Store) Copy(o bool) {
	src := &tx{opts: opts{slow: o}}
	t := &tx{}
	t.opts = src.opts
	if t.opts.slow {
		viaCopy++ // RACE!
	}
	if t.opts.fast {
		viaCopy = 7 // NORACE: nothing sets it
	}
}

// Pointer has a flag that is set through its address.
func (s *Store) Pointer() {
	t := &tx{}
	s.mu.Lock()
	s.flag = &t.done
	s.mu.Unlock()
	s.set()
	if t.done { // RACE!
		viaPointer++ // RACE!
	}
}

func (s *Store) set() {
	s.mu.Lock()
	defer s.mu.Unlock()
	*s.flag = true // RACE!
}

func (t *tx) is(b bool) bool { return t.done != b }

// Param has a flag that a function computes.
func (s *Store) Param() {
	t := &tx{}
	if t.is(true) {
		viaParam++ // RACE!
	}
	if !t.done {
		viaParam++ // RACE!
	}
}
