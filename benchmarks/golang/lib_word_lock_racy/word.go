// Package word writes words through pointers: those of its own, and, by way of unsafe, the
// length of a slice.
package word

import (
	"sync"
	"unsafe"
)

// Pool has words.
type Pool struct {
	mu   sync.Mutex
	n    int
	xs   []int
	err  error
	word uint32
}

// New makes one.
func New() *Pool { return &Pool{xs: make([]int, 4)} }

func set(p *int, v int)            { *p = v }         // RACE!
func setWord(p *uint32, v uint32)  { *p = v }         // RACE!
func setSlice(p *[]int, v []int)   { *p = v }         // RACE!
func setError(p *error, err error) { *p = err }       // RACE!
func cut(p unsafe.Pointer)         { *(*int)(p) = 0 } // RACE!

// Set writes.
func (p *Pool) Set(v int, err error) {
	set(&p.n, v)
	setWord(&p.word, uint32(v))
	setSlice(&p.xs, nil)
	setError(&p.err, err)
	cut(unsafe.Add(unsafe.Pointer(&p.xs), 8))
}

// Get reads.
func (p *Pool) Get() (int, uint32, int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.n              // RACE!
	w := p.word           // RACE!
	k := len(p.xs)        // RACE!
	return n, w, k, p.err // RACE!
}
