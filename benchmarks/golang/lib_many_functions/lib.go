// Package lib hands out functions of many types in one interface, from several places: what
// users may call is the same wherever they got it.
package lib

import "sync"

// An Op is something to do.
type Op interface{ Do() }

// Counter counts.
type Counter struct {
	mu     sync.Mutex
	n      int
	locked int
}

type (
	one   func()
	two   func() int
	three func(int)
	four  func(int) int
	five  func() bool
	six   func(bool)
)

// Do calls the function.
func (f one) Do() { f() }

// Do calls the function.
func (f two) Do() { f() }

// Do calls the function.
func (f three) Do() { f(3) }

// Do calls the function.
func (f four) Do() { f(4) }

// Do calls the function.
func (f five) Do() { f() }

// Do calls the function.
func (f six) Do() { f(true) }

// Reset hands out what is not locked.
func (c *Counter) Reset() Op {
	return one(func() {
		c.n = 0 // RACE!
	})
}

// Inc is locked, and so are the others.
func (c *Counter) Inc(by int) Op {
	if by == 1 {
		return two(func() int { return c.add(1) })
	}
	return four(c.add)
}

// Set hands out one of several.
func (c *Counter) Set(how int) Op {
	switch how {
	case 0:
		return three(func(n int) { c.add(n) })
	case 1:
		return five(func() bool { return c.add(0) > 0 })
	}
	return six(func(up bool) {
		if up {
			c.add(1)
		}
	})
}

func (c *Counter) add(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += n      // RACE!
	c.locked += n // NORACE
	return c.locked
}
