// Package lib_share_types writes memory by a pointer of another type than it was made of.
package lib_share_types

import "sync"

type piece struct{ n int }

type view struct{ n int }

// Seen writes its piece as a view.
type Seen struct {
	mu sync.Mutex
	p  *piece
}

// NewSeen makes one.
func NewSeen() *Seen { return &Seen{p: &piece{}} }

// Fork makes another one with the same piece.
func (s *Seen) Fork() *Seen { return &Seen{p: s.p} }

// Inc counts.
func (s *Seen) Inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	(*view)(s.p).n++ // RACE!
}

// Get reads.
func (s *Seen) Get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.p.n // RACE!
}

type stats struct{ hits, misses int }

// Inner has a pointer to a member.
type Inner struct {
	mu   sync.Mutex
	hits *int
}

// Two makes two for one member.
func Two() (*Inner, *Inner) {
	s := &stats{}
	return &Inner{hits: &s.hits}, &Inner{hits: &s.hits}
}

// Inc counts.
func (i *Inner) Inc() {
	i.mu.Lock()
	defer i.mu.Unlock()
	*i.hits++ // RACE!
}
