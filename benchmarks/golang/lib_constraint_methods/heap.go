// Package heap calls methods of values whose types its users choose.
package heap

import "sync"

// Item is what users have.
type Item[T any] interface{ Less(T) bool }

// Heap has items.
type Heap[T Item[T]] struct {
	mu    sync.Mutex
	items []T
}

// Push compares under the lock.
func (h *Heap[T]) Push(x T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := 0
	for i < len(h.items) && h.items[i].Less(x) {
		i++
	}
	h.items = append(h.items, x) // RACE!
}

// Peek does not take it.
func (h *Heap[T]) Peek() T { return h.items[0] } // RACE!

// Buffer is given to users.
type Buffer struct{ N int }

// Writer writes to buffers.
type Writer interface{ Write(*Buffer) }

var (
	mu     sync.Mutex
	shared Buffer
)

// Each gives a buffer of the package to users.
func Each[T Writer](ts []T) {
	mu.Lock()
	defer mu.Unlock()
	for _, t := range ts {
		t.Write(&shared) // RACE!
	}
}

// Total looks at it without the lock.
func Total() int { return shared.N } // RACE!
