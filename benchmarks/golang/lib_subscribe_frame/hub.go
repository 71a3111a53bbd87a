// Package hub keeps subscriptions, of which each has a WaitGroup and a context of its own
// beside the hub that it captures. Its events are structs without a name.
package hub

import (
	"context"
	"sync"
)

// Hub is safe for concurrent use.
type Hub[K comparable, V any] struct {
	next *Hub[K, V]
	seen struct {
		mu sync.RWMutex
		n  int
	}
	events struct {
		added struct {
			mu  sync.RWMutex
			id  uint64
			fns map[uint64]func(K, V)
		}
	}
}

// New makes a hub.
func New[K comparable, V any]() *Hub[K, V] {
	h := &Hub[K, V]{}
	h.events.added.fns = map[uint64]func(K, V){}
	return h
}

// Link makes one hub the next of another.
func (h *Hub[K, V]) Link(to *Hub[K, V]) {
	h.events.added.mu.Lock()
	h.next = to // NORACE
	h.events.added.mu.Unlock()
}

// OnAdded subscribes; what it returns unsubscribes.
func (h *Hub[K, V]) OnAdded(fn func(context.Context, K, V)) func() {
	var (
		wg          sync.WaitGroup
		ctx, cancel = context.WithCancel(context.Background())
	)
	h.events.added.mu.Lock()
	id := h.events.added.id                   // NORACE
	h.events.added.fns[id] = func(k K, v V) { // NORACE
		wg.Add(1)
		fn(ctx, k, v)
		wg.Done()
	}
	h.events.added.id++ // NORACE
	h.events.added.mu.Unlock()
	return func() {
		cancel()
		h.events.added.mu.Lock()
		delete(h.events.added.fns, id) // NORACE
		h.events.added.mu.Unlock()
	}
}

// Seen counts without a lock, as in the copy of a method that forgot it.
func (h *Hub[K, V]) Seen() {
	var wg sync.WaitGroup
	h.seen.n++                               // RACE!
	done := func() { wg.Done(); h.seen.n++ } // RACE!
	wg.Add(1)
	done()
	wg.Wait()
}
