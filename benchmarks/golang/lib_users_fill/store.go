// Package store has channels, maps and variables that its users fill: what is done with what they put there is done.
package store

import (
	"sync"
	"sync/atomic"
)

// Hooks are called by name; users add theirs.
var Hooks = map[string]func(){}

// Options say what to do.
type Options struct {
	Verbose bool
}

// Store may be used by several goroutines at once.
type Store struct {
	mu      sync.Mutex
	work    chan func()
	on      map[string]bool
	opts    *atomic.Pointer[Options]
	done    int
	enabled int
	hooked  int
	loud    int
}

// New makes a store.
func New(work chan func(), on map[string]bool, opts *atomic.Pointer[Options]) *Store {
	return &Store{work: work, on: on, opts: opts}
}

// Work does one thing.
func (s *Store) Work() {
	f := <-s.work
	f()
	s.done++ // RACE!
}

// Enabled counts.
func (s *Store) Enabled() {
	if s.on["x"] {
		s.enabled++ // RACE!
	}
}

// Hook counts.
func (s *Store) Hook() {
	if Hooks["x"] != nil {
		s.hooked++ // RACE!
	}
}

// Say counts.
func (s *Store) Say() {
	if s.opts.Load() != nil {
		s.loud++ // RACE!
	}
}
