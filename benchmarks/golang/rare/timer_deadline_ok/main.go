// The connection of timer_deadline, repaired: the mark has a lock.
package main

import (
	"errors"
	"sync"
	"time"
)

type conn struct {
	mu   sync.Mutex
	err  error
	sent int
}

func (c *conn) write(n int) error {
	t := time.AfterFunc(2*time.Second, func() {
		c.mu.Lock()
		c.err = errors.New("deadline exceeded") // NORACE
		c.mu.Unlock()
	})
	time.Sleep(time.Millisecond)
	c.sent += n // NORACE
	t.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err // NORACE
}

func main() {
	c := new(conn)
	if err := c.write(10); err != nil {
		println("broken")
	}
}
