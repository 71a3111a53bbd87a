// Package given gives values to functions of its users, who call the package with them,
// when they are complete.
package given

import "sync"

// C calls functions of users.
type C struct {
	mu sync.Mutex
	F  func(P)
}

// P has no lock.
type P struct{ n *int }

// N is a method by value.
func (p P) N() int { return *p.n }

// Call calls the function in a member.
func (c *C) Call() {
	n := new(int)
	*n = 1
	go c.F(P{n})
}

// Q has no methods.
type Q struct{ n int }

// Read looks into it.
func Read(q *Q) int { return q.n }

// Do gives users one.
func (c *C) Do(f func(*Q)) {
	q := &Q{}
	q.n = 1
	go f(q)
}

// R is given by a function that starts a goroutine.
type R struct{ n int }

// N reads.
func (r *R) N() int { return r.n }

// Go gives users one.
func Go(f func(*R)) {
	r := &R{}
	r.n = 1
	go f(r)
}
