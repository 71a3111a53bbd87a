// In the manner of etcd #9446: a read transaction looks into the buffer's map while another goroutine resets the buffer. Both hold the
// lock of the transaction, but each for reading.
package main

import "sync"

type buffer struct{ keys map[string]int }

func (b *buffer) reset() {
	for k := range b.keys { // NORACE
		delete(b.keys, k) // RACE!
	}
}

type readTx struct {
	mu  sync.RWMutex
	buf buffer
}

func (tx *readTx) get(k string) int {
	tx.mu.RLock()
	defer tx.mu.RUnlock()
	return tx.buf.keys[k] // RACE!
}

func (tx *readTx) reset() {
	tx.mu.RLock()
	defer tx.mu.RUnlock()
	tx.buf.reset()
}

func main() {
	tx := &readTx{buf: buffer{keys: map[string]int{"a": 1, "b": 2}}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		tx.reset()
	}()
	println(tx.get("a"))
	wg.Wait()
}
