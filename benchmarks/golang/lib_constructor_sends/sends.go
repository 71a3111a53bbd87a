// Package sends has constructors that send what they make.
package sends

import "sync"

// Counter counts.
type Counter struct {
	mu   sync.Mutex
	n    int
	step int
}

// New sets a member when others may have the counter.
func New(c chan *Counter) *Counter {
	s := &Counter{n: 1}
	c <- s
	s.step = 1 // RACE!
	return s
}

// NewSafely sets it before.
func NewSafely(c chan<- *Counter) *Counter {
	s := &Counter{}
	s.n = 2
	c <- s
	return s
}

// Next takes the lock.
func (c *Counter) Next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += c.step // RACE!
	return c.n
}
