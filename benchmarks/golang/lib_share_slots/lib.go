// Package lib_share_slots lets its users put something into its values, where they have a
// slice of one, or a function by another name.
package lib_share_slots

import "sync"

// Piece is what slots have.
type Piece struct{ n int }

// Slots are slots.
type Slots struct {
	mu sync.Mutex
	ps []*Piece
}

// NewSlots makes some.
func NewSlots() *Slots { return &Slots{ps: []*Piece{{}}} }

// All are the slots themselves.
func (s *Slots) All() []*Piece { return s.ps }

// Inc counts.
func (s *Slots) Inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ps[0].n++ // RACE!
}

// Set is one that a function value sets.
type Set struct {
	mu sync.Mutex
	p  *Piece
}

// NewSet makes one.
func NewSet() *Set { return &Set{p: &Piece{}} }

// NewPiece makes a piece.
func NewPiece() *Piece { return &Piece{} }

func attach(s *Set, p *Piece) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.p = p
}

// Attach sets the piece.
var Attach = attach

// Inc counts.
func (s *Set) Inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.p.n++ // RACE!
}
