// Package feed returns functions, which its users call whenever they like.
package feed

import "sync"

// Feed calls its subscribers.
type Feed struct {
	mu   sync.Mutex
	subs map[int]func()
	gone map[int]bool
	next int
}

// New makes a feed.
func New() *Feed { return &Feed{subs: map[int]func(){}, gone: map[int]bool{}} }

// Subscribe adds f, and returns what takes it out again.
func (d *Feed) Subscribe(f func()) func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := d.next
	d.next++
	d.subs[id] = f // RACE!
	return func() {
		delete(d.subs, id) // RACE!
	}
}

// Hide is Subscribe with a lock.
func (d *Feed) Hide(id int) func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone[id] = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.gone, id)
	}
}
