// Package handed returns values that others may have before the call returns them, or that others have had before.
package handed

import "sync"

// Store makes values.
type Store struct {
	mu   sync.Mutex
	seen map[int]*Item
	head *Item
	free *Item
	in   chan *Item
}

// Item is a value.
type Item struct {
	n, m, k, f, g, p, q, c int
	next                   *Item
}

// New makes a store.
func New() *Store { return &Store{seen: map[int]*Item{}, in: make(chan *Item, 8)} }

// Early publishes an item before it is ready.
func (s *Store) Early(key int) *Item {
	it := &Item{}
	s.mu.Lock()
	s.seen[key] = it
	s.mu.Unlock()
	s.fill(it, 3)
	return it
}

// fill is not inlined: it calls itself.
func (s *Store) fill(it *Item, n int) {
	if n > 0 {
		it.n++ // RACE!
		s.fill(it, n-1)
	}
}

// Lookup reads what Early makes.
func (s *Store) Lookup(key int) int {
	s.mu.Lock()
	it := s.seen[key]
	s.mu.Unlock()
	if it == nil {
		return 0
	}
	return it.n // RACE!
}

// Linked returns a new item that leads to those of other calls.
func (s *Store) Linked() *Item {
	it := &Item{}
	s.mu.Lock()
	it.next = s.head
	s.head = it
	s.mu.Unlock()
	it.m++ // RACE!
	if it.next != nil {
		it.next.m++ // RACE!
	}
	return it
}

// Again returns a new item, or the one that it is given.
func (s *Store) Again(it *Item, fresh bool) *Item {
	if fresh || it == nil {
		it = &Item{}
	}
	it.k++ // RACE!
	return it
}

// Started hands a new item to a goroutine, too.
func (s *Store) Started() *Item {
	it := &Item{}
	go s.work(it, 2)
	it.f++ // RACE!
	return it
}

func (s *Store) work(it *Item, n int) {
	if n > 0 {
		it.f++ // RACE!
		s.work(it, n-1)
	}
}

// Reused returns an item that an earlier call returned, if there is one.
func (s *Store) Reused() *Item {
	s.mu.Lock()
	it := s.free
	if it == nil {
		it = &Item{}
		s.free = it
	}
	s.mu.Unlock()
	it.g++ // RACE!
	return it
}

// Sent sends what it returns.
func (s *Store) Sent() *Item {
	it := &Item{}
	s.in <- it
	it.p++ // RACE!
	return it
}

// Received returns what Sent has sent.
func (s *Store) Received() *Item {
	it := <-s.in
	it.p++ // RACE!
	return it
}

// Pair is two items.
type Pair struct{ A, B *Item }

// Both returns two items, of which one lies in the other's place.
func (s *Store) Both() *Pair {
	p := &Pair{A: &Item{}, B: &Item{}}
	s.mu.Lock()
	s.head = p.B
	s.mu.Unlock()
	p.A.q++ // NORACE
	p.B.q++ // RACE!
	return p
}

// Head reads the item of Both.
func (s *Store) Head() int {
	s.mu.Lock()
	it := s.head
	s.mu.Unlock()
	if it == nil {
		return 0
	}
	return it.q // RACE!
}

// Count changes an item that users have.
func (s *Store) Count(it *Item) {
	it.c++ // RACE!
}
