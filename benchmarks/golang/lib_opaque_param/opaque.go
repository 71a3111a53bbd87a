// Package opaque has a function whose parameter is a type of which users can name no member.
package opaque

import "sync"

var mu sync.Mutex

// Handle has no exported members.
type Handle struct {
	n    int
	next *Handle
}

// New makes a handle, and counts.
func New() *Handle {
	h := &Handle{next: &Handle{}}
	return h
}

// Bump counts without a lock.
func Bump(h *Handle) {
	h.n++ // RACE!
}

// Follow goes to the next handle.
func Follow(h *Handle) int {
	if h.next == nil {
		return 0
	}
	h.next.n++      // RACE!
	return h.next.n // RACE!
}

// Locked does the same under the lock, for the first member only.
func Locked(h *Handle) int {
	mu.Lock()
	defer mu.Unlock()
	return h.n // RACE!
}
