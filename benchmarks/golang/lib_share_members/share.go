// Package share has values that share memory in members of other values, in variables, and by functions that users give to both.
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
		t.m[k]++ // RACE!
	}
}

// Tables are two.
type Tables struct{ In, Out Table }

// NewTables makes two.
func NewTables() *Tables {
	m, t := map[string]int{}, &Tables{}
	t.In.m, t.Out.m = m, m
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
	n := new(int)
	Fast.n, Slow.n = n, n
}

// Add adds to it.
func (g *Gauge) Add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n != nil {
		*g.n += n // RACE!
	}
}

// Numbers returns a function that numbers.
func Numbers() func() int {
	n := 0
	return func() int {
		n++      // RACE!
		return n // RACE!
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
