// In the manner of kubernetes #80284: several clients are made from one configuration at once, and each sets the configuration's dialer.
package main

import (
	"errors"
	"sync"
)

type config struct{ dial func() int }

type authenticator struct{ id int }

func (a *authenticator) dial() int { return a.id }

func (a *authenticator) update(c *config) error {
	if c.dial != nil { // RACE!
		return errors.New("has a dialer")
	}
	c.dial = a.dial // RACE!
	return nil
}

func main() {
	a, c := &authenticator{id: 1}, new(config)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		if err := a.update(c); err != nil {
			println("again")
		}
	}()
	go func() {
		defer wg.Done()
		if err := a.update(c); err != nil {
			println("again")
		}
	}()
	wg.Wait()
}
