// Package printed prints values whose types users choose: they may be its own.
package printed

import (
	"fmt"
	"sync"
)

// Name counts how often it was printed.
type Name struct {
	s    string
	hits int
}

// String is called by package fmt.
func (n *Name) String() string {
	n.hits++ // RACE!
	return n.s
}

// NewName makes a name.
func NewName(s string) *Name { return &Name{s: s} }

// Box has something to print.
type Box[T fmt.Stringer] struct {
	mu sync.Mutex
	x  T
}

// New makes a box.
func New[T fmt.Stringer](x T) *Box[T] { return &Box[T]{x: x} }

// Show prints it without the lock.
func (b *Box[T]) Show() string { return fmt.Sprint(b.x) }

// Any has anything.
type Any[T any] struct {
	mu sync.Mutex
	x  T
}

// NewAny makes one.
func NewAny[T any](x T) *Any[T] { return &Any[T]{x: x} }

// Show prints it without the lock.
func (b *Any[T]) Show() string { return fmt.Sprintf("%v", b.x) }
