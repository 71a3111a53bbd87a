// Package third has two types that use a third; only one of them gives it a callback.
package third

import "sync"

type list struct {
	items   []int
	onEvict func(int)
}

func newList(onEvict func(int)) *list { return &list{onEvict: onEvict} }

func (l *list) add(v int) {
	if len(l.items) > 8 && l.onEvict != nil {
		l.onEvict(l.items[0]) // NORACE
	}
	l.items = append(l.items, v) // NORACE
}

// Cache tells what it throws away.
type Cache struct {
	mu      sync.Mutex
	l       *list
	evicted []int
}

// NewCache makes a cache.
func NewCache() *Cache {
	c := &Cache{}
	c.l = newList(c.note)
	return c
}

func (c *Cache) note(v int) {
	c.evicted = append(c.evicted, v) // NORACE
}

// Add adds a value.
func (c *Cache) Add(v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.l.add(v)
}

// Two is a cache of two lists with one lock, and a count outside of it.
type Two struct {
	mu   sync.RWMutex
	a, b *list
	n    int
}

// NewTwo makes a cache of two lists.
func NewTwo() *Two { return &Two{a: newList(nil), b: newList(nil)} }

// Add adds a value.
func (t *Two) Add(v int) {
	t.n++ // RACE!
	t.mu.Lock()
	defer t.mu.Unlock()
	t.a.add(v)
	t.b.add(v)
}
