// A publisher takes the list of subscribers under the lock and walks through it without; who leaves shifts the rest of the same array.
// The one who leaves must come while the publisher walks, before it takes the lock again to count.
package main

import (
	"sync"
	"time"
)

type bus struct {
	mu   sync.Mutex
	subs []int
	sent int
}

func (b *bus) publish() {
	b.mu.Lock()
	subs := b.subs // NORACE
	b.mu.Unlock()
	n := 0
	for i := range subs {
		n += subs[i] // RACE!
	}
	b.mu.Lock()
	b.sent += n // NORACE
	b.mu.Unlock()
}

func (b *bus) leave(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	copy(b.subs[i:], b.subs[i+1:])  // RACE!
	b.subs = b.subs[:len(b.subs)-1] // NORACE
}

func main() {
	b := &bus{subs: []int{1, 2, 3}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		b.publish()
	}()
	time.Sleep(5 * time.Millisecond)
	b.leave(0)
	wg.Wait()
	println(b.sent) // NORACE
}
