// Package jobs has functions that start goroutines, beside a type with a lock: users call
// them twice, and beside what they have started.
package jobs

import "sync"

// Box has a lock of its own, which the others do not use.
type Box struct {
	mu sync.Mutex
	n  int
}

// Inc counts.
func (b *Box) Inc() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
}

// Start returns a function that races with the goroutine.
func Start() (stop func()) {
	n := 0
	go func() { n++ }()     // RACE!
	return func() { n = 2 } // RACE!
}

// Result is written by a goroutine, and read by who has it.
type Result struct{ V int }

// Async returns what is not there yet.
func Async(f func() int) *Result {
	r := &Result{}
	go func() { r.V = f() }() // RACE!
	return r
}

var last func()

// Launch starts what it is given, and keeps it.
func Launch(f func()) {
	last = f // RACE!
	go f()
}

func background(f func()) { go f() }

// Watch starts a goroutine by a helper, which its result stops.
func Watch() (cancel func(), err error) {
	stopped := false
	background(func() {
		for !stopped { // RACE!
		}
	})
	return func() { stopped = true }, nil // RACE!
}

// Cell is one goroutine's.
type Cell struct{ n int }

// Set changes what Follow's goroutine reads.
func (c *Cell) Set(n int) { c.n = n } // RACE!

// Follow starts a goroutine that reads what it is given.
func Follow(c *Cell, f func(int)) { go func() { f(c.n) }() } // RACE!
