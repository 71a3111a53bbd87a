// Package stats has a type that promises too much.
package stats

// Meter measures. It is safe for concurrent use by multiple goroutines.
type Meter struct {
	sum, n float64
}

// Add adds a value.
func (m *Meter) Add(v float64) {
	m.sum += v // RACE!
	m.n++      // RACE!
}

// Local is not safe for concurrent use.
type Local struct{ n int }

// Add adds one.
func (l *Local) Add() { l.n++ } // NORACE
