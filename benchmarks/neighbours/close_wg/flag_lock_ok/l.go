// WANT: verify | race-free | send and close under one lock, with a flag
package flag_lock_ok

import "sync"

// Topic is safe for concurrent use.
type Topic struct {
	mu     sync.RWMutex
	closed bool
	subs   []chan int
}

// Subscribe adds a subscriber; nil after Close.
func (t *Topic) Subscribe() <-chan int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	c := make(chan int, 1)
	t.subs = append(t.subs, c) // NORACE
	return c
}

// Publish sends to all who have room.
func (t *Topic) Publish(v int) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return false
	}
	for _, c := range t.subs {
		select {
		case c <- v: // NORACE
		default:
		}
	}
	return true
}

// Close closes all.
func (t *Topic) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	for _, c := range t.subs {
		close(c) // NORACE
	}
}
