// Package starts has objects whose Once starts a goroutine, which is not ordered with what
// is done later, by others, or to other objects.
package starts

import "sync"

// After writes after the go statement.
type After struct {
	once sync.Once
	n    int
}

func (a *After) run() {
	a.n++ // RACE!
}

// Kick starts it.
func (a *After) Kick() {
	a.once.Do(func() {
		go a.run()
		a.n = 1 // RACE!
	})
}

// Two has two Onces.
type Two struct {
	one, two sync.Once
	n        int
}

func (t *Two) run() {
	t.n++ // RACE!
}

// One starts it.
func (t *Two) One() {
	t.one.Do(func() {
		t.n = 1 // RACE!
		go t.run()
	})
}

// Other starts it, too.
func (t *Two) Other() {
	t.two.Do(func() {
		t.n = 1 // RACE!
		go t.run()
	})
}

// Given starts the goroutine of another object.
type Given struct {
	once sync.Once
	n    int
}

func (g *Given) run() {
	g.n++ // RACE!
}

// Kick starts it.
func (g *Given) Kick(o *Given) {
	g.once.Do(func() {
		o.n = 1 // RACE!
		go o.run()
	})
}

// Again has a Once that is written over.
type Again struct {
	mu   sync.Mutex
	once sync.Once
	n    int
}

func (a *Again) run() {
	a.n++ // RACE!
}

// Kick starts it.
func (a *Again) Kick() {
	a.once.Do(func() { // RACE!
		a.n = 1 // RACE!
		go a.run()
	})
}

// Reset lets it start again.
func (a *Again) Reset() {
	a.mu.Lock()
	a.once = sync.Once{} // RACE!
	a.mu.Unlock()
}

// Both starts it without the Once, too.
type Both struct {
	once sync.Once
	n    int
}

func (b *Both) run() {
	b.n++ // RACE!
}

func (b *Both) start() {
	b.n = 1 // RACE!
	go b.run()
}

// Kick starts it once.
func (b *Both) Kick() { b.once.Do(func() { b.start() }) }

// Start starts it.
func (b *Both) Start() { b.start() }
