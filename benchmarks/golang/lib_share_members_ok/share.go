// Package share is lib_share_members, repaired: each value has memory of its own, and the function a lock.
package share

import "sync"

// Table is a table.
type Table struct {
	mu sync.Mutex
	m  map[string]int
}

// Inc counts.
func (t *Table) Inc(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m != nil {
		t.m[k]++ // NORACE
	}
}

// Tables are two.
type Tables struct{ In, Out Table }

// NewTables makes two.
func NewTables() *Tables {
	t := &Tables{}
	t.In.m = map[string]int{}
	t.Out.m = map[string]int{}
	return t
}

// Gauge is a number.
type Gauge struct {
	mu sync.Mutex
	n  *int
}

// Fast and Slow are gauges.
var Fast, Slow Gauge

func init() {
	Fast.n = new(int)
	Slow.n = new(int)
}

// Add adds to it.
func (g *Gauge) Add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n != nil {
		*g.n += n // NORACE
	}
}

// Numbers returns a function that numbers.
func Numbers() func() int {
	var mu sync.Mutex
	n := 0
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		n++      // NORACE
		return n // NORACE
	}
}

// Queue numbers what it gets.
type Queue struct {
	mu   sync.Mutex
	next func() int
}

// NewQueue makes one.
func NewQueue(next func() int) *Queue { return &Queue{next: next} }

// Put returns the number.
func (q *Queue) Put() int { q.mu.Lock(); defer q.mu.Unlock(); return q.next() }
