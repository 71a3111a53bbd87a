// Package build makes objects with users' functions in goroutines that it waits for: what
// these give to the users, users may give back meanwhile.
package build

import "sync"

// Part is what is made.
type Part struct{ n, m, k int }

// Visitor is a user's.
type Visitor interface{ Visit(p *Part) }

// Builder may be used by several goroutines at once.
type Builder struct {
	mu sync.Mutex
	v  Visitor
}

// New makes a builder.
func New(v Visitor) *Builder { return &Builder{v: v} }

// Size looks at a part.
func Size(p *Part) int { return p.n + p.m + p.k } // RACE!

// Both calls f in a goroutine beside another one.
func (b *Builder) Both(f func(*Part)) *Part {
	p := &Part{}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); f(p) }()
	go func() { defer wg.Done(); p.n = 1 }() // RACE!
	wg.Wait()
	return p
}

// Beside calls a method in a goroutine, and goes on.
func (b *Builder) Beside() *Part {
	p := &Part{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); b.v.Visit(p) }()
	p.m = 1 // RACE!
	wg.Wait()
	return p
}

// Send gives a part away before it is made.
func Send(c chan *Part) *Part {
	p := &Part{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c <- p
		p.k = 1 // RACE!
	}()
	wg.Wait()
	return p
}
