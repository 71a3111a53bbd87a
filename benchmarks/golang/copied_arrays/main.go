// Each box has an array of its own, under its lock, that grows. What is in the arrays may be in several, which matters where that are nodes
// of a box, or where the array itself is in two.
package main

import (
	"sync"
)

type node struct{ v int }

type box struct {
	mu    sync.Mutex
	vals  []any
	items []item
}

type item struct {
	val any
	n   *node
}

// fill puts something into a box that others have, too.
func (b *box) fill(v any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.vals = append(b.vals, v) // NORACE
	b.vals[0] = v              // NORACE
}

// add gives a box a node of its own.
func (b *box) add(v any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, item{v, &node{}}) // NORACE
	b.items[0].n.v++                            // RACE!
}

// look copies an array whose nodes stay with the other box.
func (b *box) look(c *box) {
	c.mu.Lock()
	items := append([]item(nil), c.items...) // NORACE
	c.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = items  // the nodes have two owners
	b.items[0].n.v++ // RACE!
}

// shelf has an array that others have, too.
type shelf struct {
	mu   sync.Mutex
	vals []any
}

func (s *shelf) fill(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vals = append(s.vals, v) // RACE!
	s.vals[0] = v              // RACE!
}

// share copies one array and keeps the other one.
func (s *shelf) share(t *shelf) {
	t.mu.Lock()
	all := append(t.vals[:1], t.vals...) // RACE!
	t.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vals = all
	s.vals[0] = 2 // RACE!
}

func main() {
	var bs [2]*box
	var ss [2]*shelf
	for i := range bs {
		bs[i], ss[i] = &box{}, &shelf{}
	}
	common := any(&node{})
	for _, b := range bs {
		b.fill(common)
		b.add(common)
	}
	for _, s := range ss {
		s.fill(common)
	}
	go bs[0].fill(common)
	go bs[1].fill(common)
	go bs[0].add(common)
	go bs[1].look(bs[0])
	go ss[0].fill(common)
	ss[1].share(ss[0])
}
