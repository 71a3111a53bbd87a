// Package lib_state_elsewhere has types with a lock each, whose methods change the
// variables of an imported package: the lock of one value does not protect them.
package lib_state_elsewhere

import (
	"sync"

	"whoop-corpus/lib_state_elsewhere/internal/count"
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
	count.All.Direct++ // RACE!
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
	c.n = count.All.Noted // RACE!
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
	b.n = count.All.Put // RACE!
	b.sink.Put(1)
}

// Given changes one by a function value.
type Given struct {
	mu sync.Mutex
	n  int
}

var seen int

func see(n int) {
	seen += n // RACE!
}

// Add counts.
func (g *Given) Add() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	count.Each(see)
}
