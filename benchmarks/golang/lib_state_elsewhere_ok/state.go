// Package lib_state_elsewhere_ok has types with a lock each, whose methods change the
// variables of an imported package under a lock of that package.
package lib_state_elsewhere_ok

import (
	"sync"

	"whoop-corpus/lib_state_elsewhere_ok/internal/count"
)

// Direct changes a variable itself.
type Direct struct {
	mu sync.Mutex
	n  int
}

// Add counts.
func (d *Direct) Add() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	count.Mu.Lock()
	defer count.Mu.Unlock()
	count.All.Direct++
}

// Called changes one by a function.
type Called struct {
	mu sync.Mutex
	n  int
}

// Add counts.
func (c *Called) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	count.Note()
}

// Behind changes one by a method behind an interface.
type Behind struct {
	mu   sync.Mutex
	n    int
	sink count.Sink
}

// New makes one.
func New() *Behind { return &Behind{sink: count.Default()} }

// Add counts.
func (b *Behind) Add() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	b.sink.Put(1)
}

// Given changes one by a function value.
type Given struct {
	mu sync.Mutex
	n  int
}

var seen int

func see(n int) {
	seen += n
}

// Add counts.
func (g *Given) Add() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	count.Each(see)
}
