// A batcher sends when it is full, or when its timer fires after two seconds. Both encode into the same scratch buffer after they have
// given back the lock. The batch is full after a millisecond, so the timer almost never fires.
package main

import (
	"sync"
	"time"
)

type batcher struct {
	mu      sync.Mutex
	items   []int
	scratch int
}

func (b *batcher) add(n int) {
	b.mu.Lock()
	b.items = append(b.items, n) // NORACE
	full := len(b.items) == 3    // NORACE
	b.mu.Unlock()
	if full {
		b.send()
	}
}

func (b *batcher) send() {
	b.mu.Lock()
	items := b.items // NORACE
	b.items = nil    // NORACE
	b.mu.Unlock()
	if len(items) == 0 {
		return
	}
	b.scratch += len(items) // RACE!
}

func main() {
	b := new(batcher)
	t := time.AfterFunc(2*time.Second, b.send)
	for i := 0; i < 6; i++ {
		b.add(i)
	}
	t.Stop()
}
