// Package share is lib_share_given, repaired: it keeps copies of what its users give to it.
package share

import "sync"

// Inner has a map, and no lock.
type Inner struct{ m map[string]int }

// NewInner makes one.
func NewInner() Inner { return Inner{m: map[string]int{}} }

func (i Inner) clone() Inner {
	m := map[string]int{}
	for k, v := range i.m {
		m[k] = v
	}
	return Inner{m: m}
}

// Pair has two, each with a lock of its own.
type Pair struct {
	mu, nu sync.Mutex
	x, y   Inner
}

// NewPair makes a pair.
func NewPair(x, y Inner) *Pair { return &Pair{x: x.clone(), y: y.clone()} }

// X writes the first.
func (p *Pair) X(k string) { p.mu.Lock(); p.x.m[k]++; p.mu.Unlock() } // NORACE

// Y writes the second.
func (p *Pair) Y(k string) { p.nu.Lock(); p.y.m[k]++; p.nu.Unlock() } // NORACE

// Ring keeps numbers.
type Ring struct {
	mu  sync.Mutex
	buf []int
	n   int
}

// NewRing makes one.
func NewRing(buf []int) *Ring { return &Ring{buf: append([]int(nil), buf...)} }

// Add adds a number.
func (r *Ring) Add(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buf[r.n%len(r.buf)] = x // NORACE
	r.n++                     // NORACE
}

type item struct {
	next *item
	v    int
}

// List has numbers.
type List struct {
	mu   sync.Mutex
	head *item
}

// Push adds one.
func (l *List) Push(v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	it := &item{v: v}
	it.next = l.head // NORACE
	l.head = it      // NORACE
}

// Sum sums up.
func (l *List) Sum() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for it := l.head; it != nil && n < 100; it = it.next { // NORACE
		n += it.v + 1
	}
	return n
}
