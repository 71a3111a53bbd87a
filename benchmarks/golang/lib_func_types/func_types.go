// Package hooks has callbacks of two types; a call of one does not run functions of the other.
package hooks

import "sync"

// Hooks has a callback and a function that stops it.
type Hooks struct {
	mu   sync.Mutex
	on   func(string, int)
	stop func(*Hooks)
	n, k int
}

// New makes hooks.
func New() *Hooks {
	h := &Hooks{}
	h.on = func(s string, i int) { h.k = i } // RACE!
	h.stop = stopped
	return h
}

func stopped(h *Hooks) {
	h.n = 0 // NORACE
}

// Stop stops.
func (h *Hooks) Stop() {
	h.mu.Lock()
	h.stop(h)
	h.n++ // NORACE
	h.mu.Unlock()
}

// Call calls the callback.
func (h *Hooks) Call(s string) {
	h.on(s, 1)
}
