// A connection pool takes a connection back when its request has timed out, although the request may still use it: the next
// request gets the same connection. Requests take a millisecond, the timeout is two seconds.
package main

import (
	"sync"
	"time"
)

type conn struct{ buf []byte }

type pool struct {
	mu   sync.Mutex
	free []*conn
}

func (p *pool) get() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 { // NORACE
		return new(conn)
	}
	c := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return c
}

func (p *pool) put(c *conn) {
	p.mu.Lock()
	p.free = append(p.free, c) // NORACE
	p.mu.Unlock()
}

func (p *pool) request(s string) {
	c := p.get()
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		c.buf = append(c.buf[:0], s...) // RACE!
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
	}
	p.put(c)
}

func main() {
	var p pool
	p.request("one")
	p.request("two")
}
