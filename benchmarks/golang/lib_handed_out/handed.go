// Package handed makes values that belong to the call which makes them until it returns them.
package handed

import "sync"

// Store is a set of lines that several goroutines use.
type Store struct {
	mu    sync.Mutex
	lines source
	last  int
}

// source is where lines come from.
type source interface {
	all() []int
}

type list []int

func (l list) all() []int { return append(make([]int, 0, 8), l...) }

// New makes a store.
func New(lines []int) *Store { return &Store{lines: list(lines)} }

// Report is what a user gets.
type Report struct {
	lines []int
	notes map[string]*Note
	up    *Report
}

// Note is a part of a report.
type Note struct{ count int }

// Report makes a report.
func (s *Store) Report(depth int) *Report {
	r := s.report(depth)
	r.note("made")
	return r
}

// report is not inlined: it calls itself.
func (s *Store) report(depth int) *Report {
	s.mu.Lock()
	out := s.lines.all()
	s.last++ // NORACE
	s.mu.Unlock()
	r := &Report{lines: append(out, depth), notes: map[string]*Note{}} // NORACE: the slice was made for this call
	if depth > 0 {
		r.up = s.report(depth - 1)
		r.up.note("inner")
	}
	r.note("outer")
	return r
}

func (r *Report) note(name string) {
	n := r.notes[name] // NORACE: nobody else has the report yet
	if n == nil {
		n = &Note{}
		r.notes[name] = n // NORACE
	}
	n.count++ // NORACE
	if r.up != nil {
		r.up.note(name)
	}
}
