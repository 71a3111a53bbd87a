// WANT: verify | racy | a generic type with a lock chosen by a type parameter; Free
// counts outside it
package generic_pool

import "sync"

// Pool keeps values for reuse.
type Pool[T any, L sync.Locker] struct {
	lock L
	free []T
	gets int
}

// New makes a pool with the lock l.
func New[T any, L sync.Locker](l L) *Pool[T, L] { return &Pool[T, L]{lock: l} }

// Get takes a value out.
func (p *Pool[T, L]) Get() (v T, ok bool) {
	p.gets++ // RACE!
	p.lock.Lock()
	defer p.lock.Unlock()
	if n := len(p.free); n > 0 {
		v, p.free = p.free[n-1], p.free[:n-1] // NORACE
		return v, true
	}
	return v, false
}

// Put gives a value back.
func (p *Pool[T, L]) Put(v T) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.free = append(p.free, v) // NORACE
}

// Ints is a pool of slices.
func Ints() *Pool[[]int, *sync.Mutex] { return New[[]int](&sync.Mutex{}) }
