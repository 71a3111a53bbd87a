// Package encode writes numbers into a shared array through the standard library.
package encode

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"sync"
)

// Buf is a buffer.
type Buf struct {
	mu  sync.Mutex
	raw []byte
	txt []byte
}

// New makes a buffer.
func New() *Buf { return &Buf{raw: make([]byte, 16), txt: make([]byte, 0, 16)} }

// Put writes without the lock.
func (b *Buf) Put(n uint32) {
	binary.BigEndian.PutUint32(b.raw, n) // RACE!
}

// Get reads under it.
func (b *Buf) Get() byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.raw[0] // RACE!
}

// Text appends in place.
func (b *Buf) Text(n int64) {
	strconv.AppendInt(b.txt, n, 10) // RACE!
}

// Own writes into an array of its own, and prints it.
func (b *Buf) Own(n uint32) []byte {
	p := make([]byte, 4)
	binary.LittleEndian.PutUint32(p, n) // NORACE
	fmt.Println(p)
	p[0] = 1 // NORACE
	return p
}
