// Package gives_promoted is a library. Its users give a promoted method locks of their own.
package gives_promoted

import "sync"

type X struct{ mu sync.Mutex }

var x0 X
var n int

// Base is a part of others.
type Base struct{}

// Add adds under a lock.
func (b *Base) Add(x *X) {
	x.mu.Lock()
	n++ // RACE!
	x.mu.Unlock()
}

// S is for concurrent use.
type S struct {
	mu sync.Mutex
	Base
}

// Inc counts.
func (s *S) Inc() { s.Add(&x0) }
