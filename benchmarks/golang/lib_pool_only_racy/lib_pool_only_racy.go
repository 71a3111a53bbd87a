// Package lib_pool_only_racy has a pool, and uses what it has given back.
package lib_pool_only_racy

import "sync"

// Line is a line that is being made.
type Line struct {
	buf []byte
	n   int
	sum int
}

var lines = sync.Pool{New: func() any { return new(Line) }}

// Get begins a line.
func Get() *Line {
	l := lines.Get().(*Line)
	l.buf = l.buf[:0] // RACE!
	l.n = 0           // RACE!
	return l
}

// Add adds a byte.
func (l *Line) Add(b byte) {
	l.buf = append(l.buf, b) // RACE!
	l.n++                    // RACE!
}

// Done gives the line back, and what was added: the next user of the line overwrites it.
func (l *Line) Done() []byte { // RACE!
	b := l.buf // RACE!
	lines.Put(l)
	return b
}

// Free gives the line back too early.
func (l *Line) Free() {
	lines.Put(l)
	l.n = 0     // RACE!
	l.buf = nil // RACE!
}

// Word is a word that its pool may have twice.
type Word struct{ k int }

var words = sync.Pool{New: func() any { return new(Word) }}

// Make makes a word, and gives it back at once.
func Make() *Word {
	w := words.Get().(*Word)
	words.Put(w)
	w.k++ // RACE!
	return w
}

// Len is the length of the word.
func (w *Word) Len() int {
	return w.k // RACE!
}
