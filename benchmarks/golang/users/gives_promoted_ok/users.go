// Package gives_promoted_ok is a library. Its users have no other lock.
package gives_promoted_ok

import "sync"

type X struct{ mu sync.Mutex }

var x0 X
var n int

// Base is a part of others.
type Base struct{}

// add adds under a lock.
func (b *Base) add(x *X) {
	x.mu.Lock()
	n++ // NORACE
	x.mu.Unlock()
}

// S is for concurrent use.
type S struct {
	mu sync.Mutex
	Base
}

// Inc counts.
func (s *S) Inc() { s.add(&x0) }
