// Package share keeps what its users give to it, who may give one object to two values: the lock in one of them does not protect it.
package share

import "sync"

// Inner has a map, and no lock.
type Inner struct{ m map[string]int }

// NewInner makes one.
func NewInner() Inner { return Inner{m: map[string]int{}} }

// Pair has two, each with a lock of its own.
type Pair struct {
	mu, nu sync.Mutex
	x, y   Inner
}

// NewPair makes a pair.
func NewPair(x, y Inner) *Pair { return &Pair{x: x, y: y} }

// X writes the first.
func (p *Pair) X(k string) { p.mu.Lock(); p.x.m[k]++; p.mu.Unlock() } // RACE!

// Y writes the second.
func (p *Pair) Y(k string) { p.nu.Lock(); p.y.m[k]++; p.nu.Unlock() } // RACE!

// Box has what users put there.
type Box struct {
	mu    sync.Mutex
	Inner Inner
}

// Inc counts.
func (b *Box) Inc(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Inner.m != nil {
		b.Inner.m[k]++ // RACE!
	}
}

// Ring keeps numbers in a slice of its users'.
type Ring struct {
	mu  sync.Mutex
	buf []int
	n   int
}

// NewRing makes one.
func NewRing(buf []int) *Ring { return &Ring{buf: buf} }

// Add adds a number.
func (r *Ring) Add(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buf[r.n%len(r.buf)] = x // RACE!
	r.n++                     // NORACE
}

// Item is an element of lists.
type Item struct {
	next *Item
	v    int
}

// List has items of users.
type List struct {
	mu   sync.Mutex
	head *Item
}

// Push adds one.
func (l *List) Push(it *Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	it.next = l.head // RACE!
	l.head = it      // NORACE
}

// Sum sums up.
func (l *List) Sum() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for it := l.head; it != nil && n < 100; it = it.next { // RACE!
		n += it.v + 1
	}
	return n
}

// Dials has numbers of its users.
type Dials struct {
	mu sync.Mutex
	d  [2]*int
}

// NewDials makes some.
func NewDials(d [2]*int) *Dials { return &Dials{d: d} }

// Turn turns one.
func (d *Dials) Turn() { d.mu.Lock(); *d.d[0]++; d.mu.Unlock() } // RACE!
