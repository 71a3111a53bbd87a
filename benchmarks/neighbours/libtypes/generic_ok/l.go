// WANT: verify | race-free | a generic guarded value: access only by a function under the
// lock
package generic_ok

import "sync"

// Guarded is a value with its lock.
type Guarded[T any] struct {
	mu sync.Mutex
	v  T
}

// With calls f with the value, under the lock.
func (g *Guarded[T]) With(f func(*T)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.v) // NORACE
}

// Counters counts by name.
type Counters struct{ g Guarded[map[string]int] }

// Inc counts one more.
func (c *Counters) Inc(name string) {
	c.g.With(func(m *map[string]int) {
		if *m == nil {
			*m = make(map[string]int) // NORACE
		}
		(*m)[name]++ // NORACE
	})
}

// Get reads one.
func (c *Counters) Get(name string) (n int) {
	c.g.With(func(m *map[string]int) { n = (*m)[name] }) // NORACE
	return n
}
