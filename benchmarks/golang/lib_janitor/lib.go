// Package janitor has a constructor that starts a goroutine.
package janitor

import (
	"sync"
	"time"
)

// Store forgets values after a while.
type Store struct {
	mu     sync.Mutex
	items  map[string]time.Time
	sweeps int
	stop   chan struct{}
}

// New makes a store and starts its janitor.
func New(every time.Duration) *Store {
	s := &Store{items: make(map[string]time.Time), stop: make(chan struct{})}
	go s.sweep(every)
	return s
}

func (s *Store) sweep(every time.Duration) {
	t := time.NewTicker(every)
	for {
		select {
		case <-t.C:
			s.sweeps++ // RACE!
			s.mu.Lock()
			for k := range s.items { // NORACE
				delete(s.items, k) // NORACE
			}
			s.mu.Unlock()
		case <-s.stop:
			return
		}
	}
}

// Put stores a key.
func (s *Store) Put(k string) {
	s.mu.Lock()
	s.items[k] = time.Now() // NORACE
	s.mu.Unlock()
}

// Sweeps tells how often the janitor has run.
func (s *Store) Sweeps() int { return s.sweeps } // RACE!

// Close stops the janitor.
func (s *Store) Close() { close(s.stop) } // RACE!
