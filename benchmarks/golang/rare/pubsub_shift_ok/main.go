// The bus of pubsub_shift, repaired: the publisher walks through a copy.
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
	subs := make([]int, len(b.subs)) // NORACE
	copy(subs, b.subs)               // NORACE
	b.mu.Unlock()
	n := 0
	for i := range subs {
		n += subs[i] // NORACE
	}
	b.mu.Lock()
	b.sent += n // NORACE
	b.mu.Unlock()
}

func (b *bus) leave(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	copy(b.subs[i:], b.subs[i+1:])  // NORACE
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
