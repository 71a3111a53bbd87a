// Package back hands out addresses and is given them again: numbers, bytes, and structs
// of a type that is converted into another one. What it does then is under another lock.
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
	ints    = make([]int, 4)
	bytes   = make([]byte, 4)
	flag    = new(bool)
	at      = &point{}
	kept    *int
	count   = new(int)
)

// Ints hands numbers out.
func Ints() []int { return ints }

// Bytes hands bytes out.
func Bytes() []byte { return bytes }

// Flag hands a flag out.
func Flag() *bool { return flag }

// At hands a point out, as another type.
func At() *Point { return (*Point)(at) }

// Count hands a number out.
func Count() *int { return count }

// Set writes what it is given.
func Set(is []int, bs []byte, f *bool, p *Point) {
	mu2.Lock()
	defer mu2.Unlock()
	is[0] = 1 // RACE!
	bs[0] = 1 // RACE!
	*f = true // RACE!
	p.n = 1   // RACE!
}

// Keep keeps what it is given.
func Keep(p *int) {
	mu2.Lock()
	kept = p // NORACE
	mu2.Unlock()
}

// Use writes what was kept.
func Use() {
	mu2.Lock()
	defer mu2.Unlock()
	if kept != nil { // NORACE
		*kept = 1 // RACE!
	}
}

// Poke writes them under the other lock.
func Poke() {
	mu.Lock()
	defer mu.Unlock()
	ints[0] = 3  // RACE!
	bytes[0] = 3 // RACE!
	*flag = true // RACE!
	at.n = 3     // RACE!
	*count = 2   // RACE!
}
