// Package events calls functions of its users in goroutines.
package events

import "sync"

// Event is what happens.
type Event struct{ N int }

// Bus has handlers.
type Bus struct {
	mu       sync.Mutex
	handlers []func(*Event)
	counts   map[string]int
	seen     int
	told     func(map[string]int)
}

// New makes one.
func New(told func(map[string]int)) *Bus { return &Bus{counts: map[string]int{}, told: told} }

// On adds a handler.
func (b *Bus) On(f func(*Event)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers = append(b.handlers, f)
}

// Emit changes an event that handlers have.
func (b *Bus) Emit() {
	e := &Event{}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.handlers {
		e.N++   // RACE!
		go h(e) // RACE!
	}
}

// Count gives its own map away.
func (b *Bus) Count(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[k]++       // RACE!
	go b.told(b.counts) // RACE!
}

// See counts under the lock.
func (b *Bus) See() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen++ // RACE!
}

// Later lets a function of the user's look.
func (b *Bus) Later(f func(func() int)) {
	go f(func() int { return b.seen }) // RACE!
}

// Safely does so under the lock.
func (b *Bus) Safely(f func(func() int)) {
	go f(func() int {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.seen
	})
}
