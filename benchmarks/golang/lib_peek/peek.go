// Package peek reads what a reader has in its buffer.
package peek

import (
	"bufio"
	"io"
	"sync"
)

// Source is a source of lines.
type Source struct {
	mu sync.Mutex
	br *bufio.Reader
	n  int
}

// New makes a source.
func New(r io.Reader) *Source { return &Source{br: bufio.NewReader(r)} }

// First returns the first byte, which it looks at after it has given back the lock.
func (s *Source) First() byte {
	s.mu.Lock()
	p, err := s.br.Peek(1) // RACE!
	s.mu.Unlock()
	if err != nil {
		return 0
	}
	return p[0] // RACE!
}

// Skip goes on.
func (s *Source) Skip() {
	s.mu.Lock()
	s.br.ReadByte() // RACE!
	s.mu.Unlock()
}

// Scratch peeks at a reader of its own.
func (s *Source) Scratch(r io.Reader) byte {
	br := bufio.NewReader(r)
	p, err := br.Peek(1) // NORACE
	if err != nil {
		return 0
	}
	p[0]++ // NORACE
	return p[0]
}
