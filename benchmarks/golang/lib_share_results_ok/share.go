// Package share is lib_share_results, repaired: each value has memory of its own.
package share

import "sync"

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  *int
}

// New makes one.
func New() *Counter { return &Counter{n: new(int)} }

// Inc counts.
func (c *Counter) Inc() { c.mu.Lock(); *c.n++; c.mu.Unlock() } // NORACE

// Two makes two.
func Two() (*Counter, *Counter) {
	return &Counter{n: new(int)}, &Counter{n: new(int)}
}

// Names has sets of names.
type Names struct {
	mu sync.Mutex
	m  map[string]bool
}

// Many makes some.
func Many(n int) []*Names {
	var out []*Names
	for range n {
		out = append(out, &Names{m: map[string]bool{}})
	}
	return out
}

// Add adds one.
func (n *Names) Add(s string) { n.mu.Lock(); n.m[s] = true; n.mu.Unlock() } // NORACE

// Log keeps lines.
type Log struct {
	mu    sync.Mutex
	lines []string
	last  *int
}

// Logs are two logs.
type Logs struct{ Out, Err *Log }

// NewLogs makes two.
func NewLogs() Logs {
	return Logs{Out: &Log{last: new(int)}, Err: &Log{last: new(int)}}
}

// Print adds a line.
func (l *Log) Print(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, s) // NORACE
	*l.last++                    // NORACE
}

// Cell is a cell.
type Cell struct {
	mu sync.Mutex
	v  []int
}

// Cells sends three cells.
func Cells() <-chan *Cell {
	c := make(chan *Cell, 3)
	for range 3 {
		c <- &Cell{v: make([]int, 1)}
	}
	return c
}

// Set sets it.
func (c *Cell) Set(n int) { c.mu.Lock(); c.v[0] = n; c.mu.Unlock() } // NORACE

// Board has a lock for each of its values.
type Board struct {
	mu sync.Mutex
	m  map[int]int
}

// Boards makes two, by value.
func Boards() (Board, Board) {
	return Board{m: map[int]int{}}, Board{m: map[int]int{}}
}

// Put sets one.
func (b *Board) Put(k, v int) { b.mu.Lock(); b.m[k] = v; b.mu.Unlock() } // NORACE
