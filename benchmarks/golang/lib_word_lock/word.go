// Package word has a lock of one word that it gives to a library as a sync.Locker: what the
// library has leads to no words within errors and slices.
package word

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// ErrClosed is returned.
var ErrClosed = errors.New("closed")

type spin uint32

func (s *spin) Lock() {
	for !atomic.CompareAndSwapUint32((*uint32)(s), 0, 1) { // NORACE
		runtime.Gosched()
	}
}

func (s *spin) Unlock() { atomic.StoreUint32((*uint32)(s), 0) } // NORACE

// NewLock makes a lock.
func NewLock() sync.Locker { return new(spin) }

// Pool waits.
type Pool struct {
	lock sync.Locker
	cond *sync.Cond
	full bool
}

// New makes one.
func New() *Pool {
	p := &Pool{lock: new(spin)}
	p.cond = sync.NewCond(p.lock)
	return p
}

// Err says what is the matter.
func (p *Pool) Err(name string, n int) error {
	if n > 3 {
		return ErrClosed // NORACE
	}
	return fmt.Errorf("pool %s: %w %d", name, ErrClosed, n)
}

// Wake wakes one.
func (p *Pool) Wake() { p.cond.Signal() }
