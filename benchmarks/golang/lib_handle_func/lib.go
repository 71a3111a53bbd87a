// Package lib_handle_func has handles without a lock. Functions that are given one access
// what all handles of a counter lead to.
package lib_handle_func

import "sync"

// Counter is for concurrent use.
type Counter struct {
	mu sync.Mutex
	n  int
	m  int
}

// New makes one.
func New() *Counter { return &Counter{} }

// Inc counts.
func (c *Counter) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++ // RACE!
	c.m++
}

// Handle is one goroutine's.
type Handle struct {
	c    *Counter
	seen int
}

// Open makes one.
func Open(c *Counter) *Handle { return &Handle{c: c} }

// Peek reads without the lock.
func Peek(by int, h *Handle) int {
	h.seen += by
	return h.c.n // RACE!
}

// Read reads with it.
func Read(h Handle) int {
	h.c.mu.Lock()
	defer h.c.mu.Unlock()
	return h.c.m
}
