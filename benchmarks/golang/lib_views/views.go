// Package views hands out values without locks that look into what the store has: each goroutine has its own, but not what is behind it.
package views

import "sync"

// Store is safe for concurrent use.
type Store struct {
	mu                                     sync.Mutex
	byValue, called, listed, second, yours int
	cells                                  []*cell
}

// New makes a store.
func New() *Store { return &Store{} }

// View is a look at a store.
type View struct{ s *Store }

// View gives one.
func (s *Store) View() View { return View{s} }

// Touch counts.
func (v View) Touch() {
	v.s.byValue++ // RACE!
}

// Tx is a transaction.
type Tx struct{ s *Store }

// Do gives f a transaction.
func (s *Store) Do(f func(*Tx) error) error { return f(&Tx{s}) }

// Put counts.
func (t *Tx) Put() {
	t.s.called++ // RACE!
}

// Bucket is a part of a transaction.
type Bucket struct{ t *Tx }

// Bucket gives one.
func (t *Tx) Bucket() *Bucket { return &Bucket{t} }

// Add counts.
func (b *Bucket) Add() {
	b.t.s.second++ // RACE!
}

// Item is one of a list.
type Item struct{ s *Store }

// Items gives all.
func (s *Store) Items() []*Item { return []*Item{{s}} }

// Use counts.
func (i *Item) Use() {
	i.s.listed++ // RACE!
}

// Entry is a line of a log.
type Entry struct{ s *Store }

// NewEntry makes one; so does Entry.
func NewEntry(s *Store) *Entry { return &Entry{s} }

// Entry makes one.
func (s *Store) Entry() *Entry { return NewEntry(s) }

// Log counts.
func (e *Entry) Log() {
	e.s.yours++ // RACE!
}

type cell struct {
	mu sync.Mutex
	n  int
}

// Inc counts, without the lock.
func (c *cell) Inc() {
	c.n++ // RACE!
}

// Cells gives them to f.
func (s *Store) Cells(f func(*cell)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells = append(s.cells, &cell{})
	for _, c := range s.cells {
		f(c)
	}
}

var visits, looks int

// Ticket has nothing in it.
type Ticket struct{}

// Ticket gives one.
func (s *Store) Ticket() Ticket { return Ticket{} }

// Visit counts.
func (Ticket) Visit() {
	visits++ // RACE!
}

// Number is a number.
type Number struct{ n int }

// Number gives one.
func (s *Store) Number() Number { return Number{1} }

// Look counts.
func (n Number) Look() {
	looks += n.n // RACE!
}
