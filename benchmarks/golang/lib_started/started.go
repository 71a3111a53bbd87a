// Package started hands out functions in many ways; users call them whenever they like.
package started

import "sync"

// Counter is for concurrent use.
type Counter struct {
	mu sync.Mutex
	n  int
	// In has a function.
	In struct{ T struct{ Reset func() } }
}

// New returns a counter and what cleans up.
func New() (*Counter, func()) {
	c := &Counter{}
	c.In.T.Reset = func() { c.n = 1 } // RACE!
	return c, func() { c.n = 0 }      // RACE!
}

// Add counts.
func (c *Counter) Add() {
	c.mu.Lock()
	c.n++ // RACE!
	c.mu.Unlock()
}

// Resets returns a channel with a function.
func (c *Counter) Resets() chan func() {
	ch := make(chan func(), 1)
	ch <- func() { c.n = 2 } // RACE!
	return ch
}

// Later returns a function that returns one.
func (c *Counter) Later() func() func() {
	return func() func() {
		return func() { c.n = 3 } // RACE!
	}
}

var (
	mu    sync.Mutex
	total int
)

// Clear is a function, too.
var Clear = func() { total = 0 } // RACE!

// Sum adds to the total.
func Sum() {
	mu.Lock()
	total++ // RACE!
	mu.Unlock()
}

var std = &Gauge{}

// Gauge is for concurrent use.
type Gauge struct {
	mu sync.Mutex
	n  int
}

// Default is shared.
func Default() *Gauge { return std }

// Set sets the gauge.
func (g *Gauge) Set(n int) {
	g.mu.Lock()
	g.n = n // RACE!
	g.mu.Unlock()
}

// Step forgets the lock.
func Step() {
	std.n++ // RACE!
}

// Setter sets the default, with its lock.
func Setter() func(int) {
	return func(n int) { std.Set(n) } // NORACE
}
