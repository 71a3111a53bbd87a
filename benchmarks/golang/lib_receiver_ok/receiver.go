// Package receiver is a library. Its users have breakers of their own, though the package calls the methods with one alone.
package receiver

import "sync"

// Breaker is meant to be shared.
type Breaker struct {
	mu    sync.Mutex
	calls int
}

// State returns how many calls there were.
func (b *Breaker) State() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current(3)
}

// Execute counts a call.
func (b *Breaker) Execute() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.current(4)
	b.calls++ // NORACE
}

func (b *Breaker) current(most int) int {
	if b.calls > most {
		b.calls = 0 // NORACE
	}
	return b.calls
}

// TwoStep has a breaker.
type TwoStep struct{ b *Breaker }

// NewTwoStep makes one.
func NewTwoStep() *TwoStep { return &TwoStep{b: &Breaker{}} }

// State is that of its breaker.
func (t *TwoStep) State() int { return t.b.State() }
