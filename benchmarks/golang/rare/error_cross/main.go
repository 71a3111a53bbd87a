// A transport that is set up again when a request fails. The second request to fail should find that this was done, but asks in one critical
// section and notes it in another: if two failures cross, both set up the transport. The second request fails milliseconds later.
package main

import (
	"errors"
	"sync"
	"time"
)

type transport struct{ dials int }

type client struct {
	mu     sync.Mutex
	broken bool
	tr     transport
}

func send(n int) error {
	if n < 3 {
		return errors.New("reset by peer")
	}
	return nil
}

func (c *client) request(n int) {
	if send(n) == nil {
		return
	}
	c.mu.Lock()
	broken := c.broken // NORACE
	c.mu.Unlock()
	if broken {
		return
	}
	c.mu.Lock()
	c.broken = true // NORACE
	c.mu.Unlock()
	c.tr.dials++ // RACE!
}

func main() {
	c := new(client)
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		c.request(1)
	}()
	go func() {
		defer wg.Done()
		time.Sleep(5 * time.Millisecond)
		c.request(2)
	}()
	go func() {
		defer wg.Done()
		c.request(3)
	}()
	wg.Wait()
}
