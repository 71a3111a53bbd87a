// Package lookup has functions that return values of the package, and are called at the same time all the same.
package lookup

import "sync"

// Item is looked up by name.
type Item struct{ Name string }

var (
	mu     sync.Mutex
	items  = map[string]*Item{}
	prefix = "item "
	count  int
)

// Put registers an item.
func Put(name string) {
	mu.Lock()
	items[name] = &Item{prefix + name} // RACE!
	mu.Unlock()
}

// Get forgets the lock.
func Get(name string) *Item {
	return items[name] // RACE!
}

// Find has it.
func Find(name string) *Item {
	mu.Lock()
	defer mu.Unlock()
	return items[name] // NORACE
}

// Gauge is for concurrent use.
type Gauge struct {
	mu sync.Mutex
	n  int
}

// New forgets the lock of the package.
func New() *Gauge {
	count++ // RACE!
	return &Gauge{}
}

// Set sets the gauge.
func (g *Gauge) Set(n int) {
	g.mu.Lock()
	g.n = n // RACE!
	g.mu.Unlock()
}

// Clone forgets the lock of the gauge.
func Clone(g *Gauge) *Gauge {
	return &Gauge{n: g.n} // RACE!
}

// Open returns what resets the gauge.
func Open(n int) (func(), *Gauge) {
	g := &Gauge{n: n}
	return func() { g.n = n }, g // RACE!
}
