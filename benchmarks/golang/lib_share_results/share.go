// Package share has functions that give several values which share memory: the lock in one of them does not protect it.
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
func (c *Counter) Inc() { c.mu.Lock(); *c.n++; c.mu.Unlock() } // RACE!

// Two makes two of one number.
func Two() (*Counter, *Counter) {
	n := new(int)
	return &Counter{n: n}, &Counter{n: n}
}

// Names has sets of names.
type Names struct {
	mu sync.Mutex
	m  map[string]bool
}

// Many makes some of one map.
func Many(n int) []*Names {
	m := map[string]bool{}
	var out []*Names
	for range n {
		out = append(out, &Names{m: m})
	}
	return out
}

// Add adds one.
func (n *Names) Add(s string) { n.mu.Lock(); n.m[s] = true; n.mu.Unlock() } // RACE!

// Log keeps lines.
type Log struct {
	mu    sync.Mutex
	lines []string
	last  *int
}

// Logs are two logs.
type Logs struct{ Out, Err *Log }

// NewLogs makes two, with the last line of both.
func NewLogs() Logs {
	last := new(int)
	return Logs{Out: &Log{last: last}, Err: &Log{last: last}}
}

// Print adds a line.
func (l *Log) Print(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, s) // NORACE
	*l.last++                    // RACE!
}

// Cell is a cell.
type Cell struct {
	mu sync.Mutex
	v  []int
}

// Cells sends three cells.
func Cells() <-chan *Cell {
	c, v := make(chan *Cell, 3), make([]int, 1)
	for range 3 {
		c <- &Cell{v: v}
	}
	return c
}

// Set sets it.
func (c *Cell) Set(n int) { c.mu.Lock(); c.v[0] = n; c.mu.Unlock() } // RACE!

// Board has a lock for each of its values.
type Board struct {
	mu sync.Mutex
	m  map[int]int
}

// Boards makes two, by value.
func Boards() (Board, Board) {
	m := map[int]int{}
	return Board{m: m}, Board{m: m}
}

// Put sets one.
func (b *Board) Put(k, v int) { b.mu.Lock(); b.m[k] = v; b.mu.Unlock() } // RACE!
