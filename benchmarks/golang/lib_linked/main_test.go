package linked

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	a, b := New(), New()
	Link(a, b)
	wg.Go(func() { a.Add("a") })
	wg.Go(func() { b.Add("a") })
	x, y := NewLevels(), NewLevels()
	Share("", x, y)
	wg.Go(func() { x.Raise(1) })
	wg.Go(func() { y.Raise(1) })
	m, n := NewMarks(), NewMarks()
	NewMarks().Equate(m, n)
	wg.Go(func() { m.Mark(1) })
	wg.Go(func() { n.Mark(1) })
	s, r := NewScores(), NewScores()
	s.Save()
	r.Load()
	wg.Go(func() { s.Score("a") })
	wg.Go(func() { r.Score("a") })
	wg.Wait()
}
