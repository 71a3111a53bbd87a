// A call with a deadline: the caller that has waited too long writes the error that the worker may be writing, too. The worker needs a
// millisecond, the deadline is two seconds.
package main

import (
	"errors"
	"time"
)

type call struct {
	reply int
	err   error
	done  chan bool
}

func (c *call) serve() {
	time.Sleep(time.Millisecond)
	c.reply, c.err = 42, nil // RACE!
	close(c.done)
}

func (c *call) wait(limit time.Duration) (int, error) {
	select {
	case <-c.done:
	case <-time.After(limit):
		c.err = errors.New("timeout") // RACE!
	}
	return c.reply, c.err // RACE!
}

func main() {
	c := &call{done: make(chan bool)}
	go c.serve()
	n, err := c.wait(2 * time.Second)
	println(n, err == nil)
}
