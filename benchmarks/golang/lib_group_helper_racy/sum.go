// Package sum waits for goroutines that a helper of its own starts, and not for all.
package sum

import "sync"

// group starts functions and waits for them.
type group struct{ wg, other sync.WaitGroup }

// Go starts f.
func (g *group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

// Early counts down before it calls f.
func (g *group) Early(f func()) {
	g.wg.Add(1)
	go func() {
		g.wg.Done()
		f()
	}()
}

// Wait waits for all.
func (g *group) Wait() { g.wg.Wait() }

// Other waits for none of them.
func (g *group) Other() { g.other.Wait() }

// Late waits when it has read.
func Late(x int) int {
	var g group
	n := 0
	g.Go(func() { n = x }) // RACE!
	m := n                 // RACE!
	g.Wait()
	return m
}

// Same runs two functions that write one variable.
func Same(x int) int {
	var g group
	n := 0
	g.Go(func() { n = x }) // RACE!
	g.Go(func() { n = 3 }) // RACE!
	g.Wait()
	return n
}

// TooEarly waits for goroutines that have not done what they do.
func TooEarly(x int) int {
	var g group
	n := 0
	g.Early(func() { n = x }) // RACE!
	g.Wait()
	return n // RACE!
}

// Wrong waits for another group.
func Wrong(x int) int {
	var g group
	n := 0
	g.Go(func() { n = x }) // RACE!
	g.Other()
	return n // RACE!
}

// Twice waits for one of two groups.
func Twice(x int) int {
	var g, h group
	n := 0
	g.Go(func() { n = x }) // RACE!
	h.Wait()
	return n // RACE!
}

// List is a list of counters.
type List struct {
	next *List
	n    int
}

func (l *List) count() { l.n++ } // RACE!

// Count starts the first of a list, of which the second may be what it counts.
func (l *List) Count() {
	var g group
	g.Go(l.count)
	l = l.next
	g.Go(l.count)
	g.Wait()
}
