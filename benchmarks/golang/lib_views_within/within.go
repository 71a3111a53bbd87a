// Package within hands out values without locks inside of others, to functions in members and to methods of users, and by functions that are given a store.
package within

import "sync"

// Store is safe for concurrent use.
type Store struct {
	mu                                       sync.Mutex
	page, array, key, list, deep, member     int
	visitor, slice, made, summed, kept, told int
}

// New makes a store.
func New() *Store { return &Store{} }

// Add counts under the lock.
func (s *Store) Add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.page++    // RACE!
	s.array++   // RACE!
	s.key++     // RACE!
	s.list++    // RACE!
	s.deep++    // RACE!
	s.member++  // RACE!
	s.visitor++ // RACE!
	s.slice++   // RACE!
	s.made++    // RACE!
	s.summed++  // RACE!
	s.kept++    // RACE!
	s.told++
}

// Item is on a page.
type Item struct{ s *Store }

// N reads.
func (i *Item) N() int {
	return i.s.page // RACE!
}

// Page has items.
type Page struct{ Items []*Item }

// Page gives one.
func (s *Store) Page() *Page { return &Page{[]*Item{{s}}} }

// Cell lies in an array.
type Cell struct{ s *Store }

// N reads.
func (c Cell) N() int {
	return c.s.array // RACE!
}

// Cells gives two.
func (s *Store) Cells() [2]Cell { return [2]Cell{{s}, {s}} }

// Key is one of a map.
type Key struct{ s *Store }

// N reads.
func (k Key) N() int {
	return k.s.key // RACE!
}

// Keys gives some.
func (s *Store) Keys() map[Key]bool { return map[Key]bool{{s}: true} }

// List is a slice with methods.
type List []*Store

// N reads.
func (l List) N() int {
	return l[0].list // RACE!
}

// List gives one.
func (s *Store) List() List { return List{s} }

// Deep lies in maps in slices.
type Deep struct{ s *Store }

// N reads.
func (d *Deep) N() int {
	return d.s.deep // RACE!
}

// Deeps gives some.
func (s *Store) Deeps() []map[string][]*Deep { return []map[string][]*Deep{{"a": {{s}}}} }

// Event is told to a function.
type Event struct{ s *Store }

// N reads.
func (e *Event) N() int {
	return e.s.member // RACE!
}

// Options have a function of the user.
type Options struct{ OnEvent func(*Event) }

// Run calls it.
func (s *Store) Run(o Options) { o.OnEvent(&Event{s}) }

// Node is visited.
type Node struct{ s *Store }

// N reads.
func (n *Node) N() int {
	return n.s.visitor // RACE!
}

// Visitor is implemented by users.
type Visitor interface{ Visit(*Node) }

// Walk shows a node.
func (s *Store) Walk(v Visitor) { v.Visit(&Node{s}) }

// Row is one of those that a function is given.
type Row struct{ s *Store }

// N reads.
func (r *Row) N() int {
	return r.s.slice // RACE!
}

// Rows calls f.
func (s *Store) Rows(f func([]*Row) bool) { f([]*Row{{s}}) }

// Look is made by a function.
type Look struct{ s *Store }

// NewLook makes one.
func NewLook(s *Store) *Look { return &Look{s} }

// N reads.
func (l *Look) N() int {
	return l.s.made // RACE!
}

// Sum is as good as a method.
func Sum(s *Store) int {
	return s.summed // RACE!
}

// Twice does what users could do.
func Twice(s *Store) {
	for range 2 {
		s.Add()
	}
}

// Kept reads in a function of its own.
func Kept(s *Store) int {
	return kept(s)
}

func kept(s *Store) int {
	return s.kept // RACE!
}

// Told reads under the lock.
func Told(s *Store) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told // NORACE
}
