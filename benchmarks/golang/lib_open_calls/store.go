// Package open calls functions of its users, and methods of types that it does not know: they see what they are given only while they run.
package open

import (
	"io"
	"sync"
)

// Item is what a store has.
type Item struct {
	Hits int
	Tags []string
	uses int
}

// Options are for loading.
type Options struct{ Deep bool }

// Logger is what users have.
type Logger interface {
	Logf(format string, args ...any)
	Seen(it *Item)
}

// Store has items.
type Store struct {
	mu    sync.Mutex
	items map[string]*Item
	log   Logger
	load  func(key string, o *Options) *Item
	wrap  func(io.Writer) io.Writer
	run   func(func())
	out   count
	calls int
}

// count is a writer of this package.
type count struct{ n int }

// Write counts.
func (c *count) Write(p []byte) (int, error) {
	c.n += len(p) // NORACE
	return len(p), nil
}

// New makes a store.
func New(log Logger, load func(string, *Options) *Item, wrap func(io.Writer) io.Writer, run func(func())) *Store {
	return &Store{items: map[string]*Item{}, log: log, load: load, wrap: wrap, run: run}
}

// Visit shows all items.
func (s *Store) Visit(f func(*Item)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, it := range s.items {
		it.uses++ // NORACE
		f(it)     // NORACE: under the lock
		s.log.Seen(it)
	}
}

// Get gets an item, which is loaded where it is not there.
func (s *Store) Get(key string) int {
	it := s.load(key, &Options{Deep: true}) // something new
	if it == nil {
		return 0
	}
	it.Hits++ // NORACE: nobody else has it
	it.uses = 1
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key] = it
	it.Hits++ // NORACE
	s.log.Logf("%s is there: %v", key, it)
	return it.Hits
}

// Hit counts.
func (s *Store) Hit(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if it := s.items[key]; it != nil {
		it.Hits++                      // NORACE
		it.Tags = append(it.Tags, key) // NORACE
	}
}

// Dump writes through a writer of the user's, around its own.
func (s *Store) Dump(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrap(&s.out).Write(b)
}

// Run counts in a function that it gives to one of the user's.
func (s *Store) Run() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run(func() { s.calls++ }) // NORACE
}
