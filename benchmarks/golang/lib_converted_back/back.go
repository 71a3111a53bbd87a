// Package back hands a struct out as one of another type of its structure, and is given
// it again. What it does then is under another lock.
package back

import "sync"

type point struct {
	a int
	n int
}

// Point is what users know a point as.
type Point point

var (
	mu, mu2 sync.Mutex
	at      = &point{}
)

// At hands the point out.
func At() *Point {
	mu.Lock()
	defer mu.Unlock()
	return (*Point)(at) // NORACE
}

// Set writes what it is given.
func Set(p *Point) {
	mu2.Lock()
	defer mu2.Unlock()
	p.n = 1 // RACE!
}

// Poke writes it under the other lock.
func Poke() {
	mu.Lock()
	defer mu.Unlock()
	at.n = 3 // RACE!
}
