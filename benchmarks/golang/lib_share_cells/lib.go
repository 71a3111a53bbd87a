// Package lib_share_cells has values of which users get a part, into which they put what
// they have of another value: by methods of generic types, and by those of a library's.
package lib_share_cells

import (
	"container/list"
	"sync"
)

type piece struct{ n int }

// Cell has a value.
type Cell[T any] struct{ v T }

// Copy takes the value of another one.
func (c *Cell[T]) Copy(o *Cell[T]) { c.v = o.v } // RACE!

// One has a cell.
type One struct {
	mu sync.Mutex
	c  *Cell[*piece]
}

// NewOne makes one.
func NewOne() *One { return &One{c: &Cell[*piece]{&piece{}}} }

// Cell is its cell.
func (o *One) Cell() *Cell[*piece] { return o.c }

// Inc counts.
func (o *One) Inc() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.c.v.n++ // RACE!
}

// Many has a list of pieces.
type Many struct {
	mu sync.Mutex
	l  *list.List
}

// NewMany makes one.
func NewMany() *Many {
	m := &Many{l: list.New()}
	m.l.PushBack(&piece{})
	return m
}

// List is its list.
func (m *Many) List() *list.List { return m.l }

// Inc counts.
func (m *Many) Inc() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for e := m.l.Front(); e != nil; e = e.Next() {
		e.Value.(*piece).n++ // RACE!
	}
}

type node struct{ p *piece }

// Adopt makes x have the piece of y.
func Adopt(x, y any) { x.(*node).p = y.(*node).p }

// Tree has a node.
type Tree struct {
	mu   sync.Mutex
	root *node
}

// NewTree makes one.
func NewTree() *Tree { return &Tree{root: &node{&piece{}}} }

// Root is its node.
func (t *Tree) Root() any { return t.root }

// Inc counts.
func (t *Tree) Inc() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.root.p.n++ // RACE!
}

// Counter counts; only types of the package do.
type Counter interface {
	Inc()
	value() int
}

// Tally is a Counter.
type Tally struct {
	mu sync.Mutex
	n  int
}

// NewTally makes one.
func NewTally() *Tally { return &Tally{} }

func (t *Tally) value() int { return t.n } // RACE!

// Merge adds what another one has.
func (t *Tally) Merge(c Counter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += c.value() // RACE!
}

// Inc counts.
func (t *Tally) Inc() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++ // RACE!
}
