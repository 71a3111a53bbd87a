// A deadline by a timer: its function marks the connection as broken. The work is done in a millisecond and the timer stopped, so the
// function almost never runs; if it does, it is not ordered with the work's own use of the mark.
package main

import (
	"errors"
	"time"
)

type conn struct {
	err  error
	sent int
}

func (c *conn) write(n int) error {
	t := time.AfterFunc(2*time.Second, func() {
		c.err = errors.New("deadline exceeded") // RACE!
	})
	time.Sleep(time.Millisecond)
	c.sent += n
	t.Stop()
	return c.err // RACE!
}

func main() {
	c := new(conn)
	if err := c.write(10); err != nil {
		println("broken")
	}
}
