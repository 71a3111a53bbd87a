// Package lib_share_library has values that share something by way of a library: what it
// fills, what has a state, what a context or a function of its has, weak pointers.
package lib_share_library

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"
	"sync"
	"weak"
)

// Scanned has a number that fmt fills.
type Scanned struct {
	mu sync.Mutex
	n  *int
}

// NewScanned makes one.
func NewScanned() *Scanned { return &Scanned{n: new(int)} }

// Fork makes another one with the same number.
func (s *Scanned) Fork() *Scanned { return &Scanned{n: s.n} }

// Load reads it.
func (s *Scanned) Load(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Sscan(text, s.n) // RACE!
}

// Get is the number.
func (s *Scanned) Get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.n // RACE!
}

// Sum has a hash.
type Sum struct {
	mu sync.Mutex
	h  hash.Hash32
}

// NewSum makes one.
func NewSum() *Sum { return &Sum{h: fnv.New32()} }

// Fork makes another one with the same hash.
func (s *Sum) Fork() *Sum { return &Sum{h: s.h} }

// Add adds to it.
func (s *Sum) Add(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.h.Write(b) // RACE!
}

type piece struct{ n int }

type key struct{}

// Scope has a context with a piece.
type Scope struct {
	mu  sync.Mutex
	ctx context.Context
}

// NewScope makes one.
func NewScope() *Scope {
	return &Scope{ctx: context.WithValue(context.Background(), key{}, &piece{})}
}

// Fork makes another one with the same context.
func (s *Scope) Fork() *Scope { return &Scope{ctx: s.ctx} }

// Inc counts.
func (s *Scope) Inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx.Value(key{}).(*piece).n++ // RACE!
}

// Lazy makes its piece once.
type Lazy struct {
	mu  sync.Mutex
	get func() *piece
}

// NewLazy makes one.
func NewLazy() *Lazy {
	return &Lazy{get: sync.OnceValue(func() *piece { return &piece{} })}
}

// Fork makes another one with the same piece.
func (l *Lazy) Fork() *Lazy { return &Lazy{get: l.get} }

// Inc counts.
func (l *Lazy) Inc() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.get().n++ // RACE!
}

// Child knows its parent weakly.
type Child struct {
	mu     sync.Mutex
	n      int
	parent weak.Pointer[Child]
}

// NewChild makes one without a parent.
func NewChild() *Child { return &Child{} }

// Child makes one with a parent.
func (c *Child) Child() *Child { return &Child{parent: weak.Make(c)} }

// Inc counts, for the parent too.
func (c *Child) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++ // RACE!
	if p := c.parent.Value(); p != nil {
		p.n++ // RACE!
	}
}
