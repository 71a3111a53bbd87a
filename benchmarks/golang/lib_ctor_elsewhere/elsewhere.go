// Package elsewhere makes connections in a constructor and in a method of another type.
package elsewhere

import "sync"

// Conn is a connection.
type Conn struct {
	mu   sync.Mutex
	last *note
	pong func()
	n    int
}

type note struct{ v int }

func newConn() *Conn {
	c := &Conn{last: &note{}}
	c.pong = func() { c.n++ } // RACE!
	return c
}

// NewConn makes a connection.
func NewConn() *Conn { return newConn() }

// Dialer makes connections.
type Dialer struct {
	mu sync.Mutex
}

// Dial makes one.
func (d *Dialer) Dial() *Conn { return newConn() }

// Note writes what newConn made, without the lock.
func (c *Conn) Note(v int) {
	c.last.v = v // RACE!
}

// Set replaces it.
func (c *Conn) Set() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = &note{} // RACE!
}

// Ping calls the handler.
func (c *Conn) Ping() {
	c.pong()
}
