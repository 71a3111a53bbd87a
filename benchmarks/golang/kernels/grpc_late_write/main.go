// In the manner of grpc #1687: the transport of a handler is closed while a late write is being sent: a send on a closed channel panics, and the race
// detector reports send and close.
package main

import "sync"

type transport struct {
	once   sync.Once
	writes chan int
}

func (t *transport) close() { t.once.Do(func() { close(t.writes) }) } // RACE! WARN: close-send

func (t *transport) write(n int) { t.writes <- n } // RACE!

func main() {
	t := &transport{writes: make(chan int, 4)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.write(1)
	}()
	t.close()
	wg.Wait()
}
