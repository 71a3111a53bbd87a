// Package lib_state_behind has variables that change behind errors, in functions that a
// library keeps, and in variables of a library.
package lib_state_behind

import (
	"errors"
	"os"
	"sync"
)

type seen struct{ n int }

func (s *seen) Error() string { return "seen" }

var base error = &seen{}

// Watch looks at an error that is there once.
type Watch struct {
	mu sync.Mutex
	n  int
}

// NewWatch makes one.
func NewWatch() *Watch { return &Watch{} }

// Look counts how often.
func (w *Watch) Look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	var s *seen
	if errors.As(base, &s) {
		s.n++ // RACE!
	}
}

var made int

var pool = sync.Pool{New: func() any {
	made++ // RACE!
	return new(int)
}}

// Buffers takes numbers from the pool.
type Buffers struct {
	mu sync.Mutex
	n  int
}

// NewBuffers makes one.
func NewBuffers() *Buffers { return &Buffers{} }

// Take takes one.
func (b *Buffers) Take() {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := pool.Get().(*int)
	b.n += *p
}

// Title sets how the program is called.
type Title struct {
	mu sync.Mutex
	n  int
}

// NewTitle makes one.
func NewTitle() *Title { return &Title{} }

// Set sets it.
func (t *Title) Set(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	os.Args[0] = s // RACE!
	t.n++
}
