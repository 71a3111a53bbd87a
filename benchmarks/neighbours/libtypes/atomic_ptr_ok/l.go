// WANT: verify | race-free | copy on write behind an atomic.Pointer, writers have a lock
package atomic_ptr_ok

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Routes is safe for concurrent use.
type Routes struct {
	mu  sync.Mutex
	cur atomic.Pointer[map[string]string]
}

// Lookup reads without a lock.
func (r *Routes) Lookup(k string) string {
	m := r.cur.Load()
	if m == nil {
		return ""
	}
	return (*m)[k] // NORACE
}

// Add publishes a changed copy.
func (r *Routes) Add(k, v string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := map[string]string{}
	if m := r.cur.Load(); m != nil {
		maps.Copy(next, *m) // NORACE
	}
	next[k] = v // NORACE
	r.cur.Store(&next)
}
