// A client connects at first use, by a sync.Once, and makes a new Once if the connection has failed, so that the next call tries again.
// The new Once is written while others use the old one. Connecting fails only if it takes two seconds.
package main

import (
	"errors"
	"sync"
	"time"
)

type client struct {
	once sync.Once
	err  error
}

func (c *client) connect() {
	up := make(chan bool, 1)
	go func() {
		time.Sleep(time.Millisecond)
		up <- true
	}()
	select {
	case <-up:
	case <-time.After(2 * time.Second):
		c.err = errors.New("no connection") // RACE!
	}
}

func (c *client) call() error {
	c.once.Do(c.connect) // RACE!
	if c.err != nil {    // RACE!
		c.once = sync.Once{} // RACE!
	}
	return c.err // RACE!
}

func main() {
	c := new(client)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if c.call() != nil {
			println("failed")
		}
	}()
	if c.call() != nil {
		println("failed")
	}
	wg.Wait()
}
