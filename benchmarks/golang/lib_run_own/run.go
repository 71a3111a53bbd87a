// Package run has a store that knows its transactions. What lies in a transaction is its goroutine's alone all the same: others find the
// transaction, but do not look into it.
package run

import "sync"

// Store is a store.
type Store struct {
	mu   sync.Mutex
	rw   sync.Mutex
	txs  []*tx
	last *tx
	n    int
}

// New makes a store.
func New() *Store { return &Store{} }

type tx struct {
	s        *Store
	id       int
	writable bool
	root     *node
	steps    int
}

type node struct {
	t     *tx
	items map[int]*node
	v     int
}

func newNode(t *tx) *node { return &node{t: t, items: map[int]*node{}} }

func (t *tx) mayWrite() bool { return t.writable }

func (s *Store) begin(t *tx) {
	s.mu.Lock()
	s.n++
	t.id = s.n
	t.s = s
	t.root = newNode(t)
	s.txs = append(s.txs, t)
	s.last = t
	s.mu.Unlock()
}

func (s *Store) end(t *tx) {
	s.mu.Lock()
	for i, x := range s.txs {
		if x == t {
			s.txs = append(s.txs[:i], s.txs[i+1:]...)
			break
		}
	}
	s.mu.Unlock()
	t.s = nil // NORACE: nobody looks there
}

// Oldest is the number of the oldest transaction.
func (s *Store) Oldest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.txs) == 0 {
		return 0
	}
	return s.txs[0].id // NORACE
}

// walk goes down n levels.
func (x *node) walk(n int) *node {
	x.v++ // NORACE
	if n == 0 {
		return x
	}
	y := x.items[n] // NORACE
	if y == nil {
		y = newNode(x.t)
		x.items[n] = y // NORACE
	}
	return y.walk(n - 1)
}

// read does what reading transactions do, and, if they could write, what they must not.
func (t *tx) read(n int) int {
	y := t.root.walk(n) // NORACE
	t.steps++           // NORACE
	if y.t.mayWrite() {
		t.s.last.steps = 1 // NORACE: only a transaction that writes comes here, and there is one at a time
	}
	return y.v
}

// View runs a transaction that reads.
func (s *Store) View(n int) int {
	t := &tx{}
	s.begin(t)
	defer s.end(t)
	return t.read(n)
}

// Update runs a transaction that writes.
func (s *Store) Update(n int) {
	s.rw.Lock()
	defer s.rw.Unlock()
	t := &tx{writable: true}
	s.begin(t)
	t.root.walk(n)
	s.end(t)
}
