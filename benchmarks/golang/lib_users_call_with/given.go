// Package given gives values to functions of its users, who call the package with them.
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
func (p P) N() int { return *p.n } // RACE!

// Call calls the function in a member.
func (c *C) Call() {
	n := new(int)
	go c.F(P{n}) // RACE!
	*n = 1       // RACE!
}

// Q has no methods.
type Q struct{ n int }

// Read looks into it.
func Read(q *Q) int { return q.n } // RACE!

// Do gives users one.
func (c *C) Do(f func(*Q)) {
	q := &Q{}
	go f(q)
	q.n = 1 // RACE!
}

// R is given by a function that starts a goroutine.
type R struct{ n int }

// N reads.
func (r *R) N() int { return r.n } // RACE!

// Go gives users one.
func Go(f func(*R)) {
	r := &R{}
	go f(r)
	r.n = 1 // RACE!
}
