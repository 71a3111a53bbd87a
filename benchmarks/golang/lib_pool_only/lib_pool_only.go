// Package lib_pool_only shares nothing but a pool: users get a line from it, fill it, and
// give it back.
package lib_pool_only

import "sync"

// Line is a line that is being made.
type Line struct {
	buf []byte
	n   int
}

var lines = sync.Pool{New: func() any { return new(Line) }}

// Get begins a line.
func Get() *Line {
	l := lines.Get().(*Line)
	l.buf = l.buf[:0] // NORACE
	l.n = 0           // NORACE
	return l
}

// Add adds a byte.
func (l *Line) Add(b byte) *Line {
	l.buf = append(l.buf, b) // NORACE
	l.n++                    // NORACE
	return l
}

// Text is what was added. It belongs to the line.
func (l *Line) Text() []byte { return l.buf }

// String is a copy of it.
func (l *Line) String() string { return string(l.buf) }

// Free gives the line back: it must not be used any more.
func (l *Line) Free() {
	l.n = 0 // NORACE
	put(l)
}

func put(l *Line) { lines.Put(l) }
