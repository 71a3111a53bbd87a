// Package more has types of which the synchronisation is behind several others, in functions, or given by users.
package more

import "sync"

type left struct{ right *right }

type right struct{ cells []*cell }

type cell struct {
	mu sync.Mutex
	n  int
}

func (c *cell) inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// Deep leads to locks by three steps.
type Deep struct {
	l    left
	hits int
}

// NewDeep makes one.
func NewDeep() *Deep { return &Deep{l: left{&right{[]*cell{{}}}}} }

// Inc counts.
func (d *Deep) Inc() {
	d.hits++ // RACE!
	d.l.right.cells[0].inc()
}

// Builder is for one user, and makes something that is for several.
type Builder struct{ n int }

// Add counts.
func (b *Builder) Add() { b.n++ }

// Build makes it.
func (b *Builder) Build() *Built { return &Built{in: &cell{n: b.n}} }

// Built has a lock behind it.
type Built struct {
	in   *cell
	hits int
}

// Inc counts.
func (b *Built) Inc() {
	b.in.inc()
	b.hits++ // RACE!
}

// Lazy has a value that is made once.
type Lazy struct {
	get  func() int
	hits int
}

// NewLazy makes one.
func NewLazy() *Lazy { return &Lazy{get: sync.OnceValue(func() int { return 1 })} }

// Get gets it.
func (l *Lazy) Get() int {
	l.hits++ // RACE!
	return l.get()
}

// With has a function that holds a lock.
type With struct {
	with func(func())
	n    int
}

// NewWith makes one.
func NewWith() *With {
	var mu sync.Mutex
	return &With{with: func(f func()) {
		mu.Lock()
		defer mu.Unlock()
		f()
	}}
}

// N does not use it.
func (w *With) N() int {
	w.n++      // RACE!
	return w.n // RACE!
}

// Actor runs what it is sent, but for what it is asked.
type Actor struct {
	ops chan func()
	n   int
}

// NewActor starts one.
func NewActor() *Actor {
	a := &Actor{ops: make(chan func())}
	go func() {
		for f := range a.ops {
			f()
		}
	}()
	return a
}

// Inc counts.
func (a *Actor) Inc() {
	a.ops <- func() {
		a.n++ // RACE!
	}
}

// N looks.
func (a *Actor) N() int {
	return a.n // RACE!
}

// Embedded is locked by users, too.
type Embedded struct {
	sync.Locker
	n int
}

// NewEmbedded makes one.
func NewEmbedded() *Embedded { return &Embedded{Locker: new(sync.Mutex)} }

// N does not lock.
func (e *Embedded) N() int {
	e.n++      // RACE!
	return e.n // RACE!
}

// Pair is copied, with what it leads to.
type Pair struct {
	mu *sync.Mutex
	m  map[string]int
}

// NewPair makes one.
func NewPair() Pair { return Pair{new(sync.Mutex), map[string]int{}} }

// Inc counts under the lock.
func (p Pair) Inc(k string) {
	p.mu.Lock()
	p.m[k]++ // RACE!
	p.mu.Unlock()
}

// Get does not.
func (p Pair) Get(k string) int {
	return p.m[k] // RACE!
}
