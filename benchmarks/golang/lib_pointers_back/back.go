// Package back hands out slices of pointers, and pointers to pointers, and is given them
// again. What it does then is under another lock.
package back

import "sync"

// T is something.
type T struct{ a int }

var (
	mu, mu2 sync.Mutex
	ts      = make([]*T, 4)
	at      = new(*T)
	maps    = make([]map[int]int, 4)
	f       = new(func())
	own     = make([]*T, 4)
)

// Ts hands pointers out.
func Ts() []*T { return ts }

// At hands the place of a pointer out.
func At() **T { return at }

// Maps hands maps out.
func Maps() []map[int]int { return maps }

// F hands the place of a function out.
func F() *func() { return f }

// Set writes what it is given.
func Set(x []*T, p **T, m []map[int]int, g *func()) {
	mu2.Lock()
	defer mu2.Unlock()
	x[0] = nil // RACE!
	*p = nil   // RACE!
	m[0] = nil // RACE!
	*g = nil   // RACE!
}

// Poke writes them under the other lock.
func Poke() {
	mu.Lock()
	defer mu.Unlock()
	ts[0] = nil   // RACE!
	*at = nil     // RACE!
	maps[0] = nil // RACE!
	*f = nil      // RACE!
	own[0] = nil  // NORACE
}
