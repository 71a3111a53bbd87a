// A Once is made anew under a lock that everyone holds who uses it. What its function writes is read under the lock, too, but for one
// reader, who relies on the order that a Once gives: the next Once may be running then.
package main

import "sync"

type conn struct {
	mu   sync.RWMutex
	once sync.Once
	addr string
}

func (c *conn) get() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.once.Do(func() { c.addr = "here" }) // RACE!
	return c.addr                         // RACE: of a Once that is overwritten, only that its functions exclude each other is followed
}

func (c *conn) late() string {
	c.mu.RLock()
	c.once.Do(func() { c.addr = "here" }) // RACE: as above
	c.mu.RUnlock()
	return c.addr // RACE!
}

func (c *conn) reset() {
	c.mu.Lock()
	c.once = sync.Once{} // NORACE
	c.mu.Unlock()
}

func main() {
	c := new(conn)
	go c.reset()
	go c.late()
	println(c.get())
}
