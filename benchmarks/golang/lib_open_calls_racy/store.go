// Package open calls functions of its users, and methods of types that it does not know, without its lock.
package open

import (
	"io"
	"sync"
)

// Item is what a store has.
type Item struct {
	Hits int
	Tags []string
}

// Logger is what users have.
type Logger interface {
	Logf(format string, args ...any) // RACE! by the call in Log
	Seen(it *Item)
}

// Store has items.
type Store struct {
	mu    sync.Mutex
	items map[string]*Item
	names []string
	log   Logger
	wrap  func(io.Writer) io.Writer
	run   func(func())
	fill  io.Reader
	buf   []byte
	out   count
	calls int
}

// count is a writer of this package.
type count struct{ n int }

// Write counts.
func (c *count) Write(p []byte) (int, error) {
	c.n += len(p) // RACE!
	return len(p), nil
}

// New makes a store.
func New(log Logger, wrap func(io.Writer) io.Writer, run func(func()), fill io.Reader) *Store {
	return &Store{items: map[string]*Item{}, log: log, wrap: wrap, run: run, fill: fill, buf: make([]byte, 8)}
}

// Add adds an item.
func (s *Store) Add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key] = &Item{Hits: 1}
	s.names = append(s.names, key) // RACE!
}

// Visit shows an item after it has released the lock.
func (s *Store) Visit(key string, f func(*Item)) {
	s.mu.Lock()
	it := s.items[key]
	s.mu.Unlock()
	if it != nil {
		f(it) // RACE!
	}
}

// Log logs an item after it has released the lock.
func (s *Store) Log(key string) {
	s.mu.Lock()
	it := s.items[key]
	s.mu.Unlock()
	s.log.Logf("%v", it)
}

// Names gives its own slice to the user.
func (s *Store) Names(f func([]string)) {
	f(s.names) // RACE!
}

// Hit counts.
func (s *Store) Hit(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if it := s.items[key]; it != nil {
		it.Hits++                      // RACE!
		it.Tags = append(it.Tags, key) // RACE!
	}
}

// Fill reads into the buffer.
func (s *Store) Fill() {
	s.fill.Read(s.buf) // RACE!
}

// Dump writes through a writer of the user's, which may be its own.
func (s *Store) Dump(b []byte) {
	s.wrap(&s.out).Write(b)
}

// Run counts in a function that it gives to one of the user's.
func (s *Store) Run() {
	s.run(func() { s.calls++ }) // RACE!
}
