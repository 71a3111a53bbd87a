// The batcher of batch_timer, repaired: it encodes under the lock.
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
	defer b.mu.Unlock()
	b.items = append(b.items, n) // NORACE
	if len(b.items) == 3 {       // NORACE
		b.encode()
	}
}

func (b *batcher) send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.encode()
}

func (b *batcher) encode() {
	b.scratch += len(b.items) // NORACE
	b.items = nil             // NORACE
}

func main() {
	b := new(batcher)
	t := time.AfterFunc(2*time.Second, b.send)
	for i := 0; i < 6; i++ {
		b.add(i)
	}
	t.Stop()
}
