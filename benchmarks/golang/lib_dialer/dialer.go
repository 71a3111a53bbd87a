// Package dialer makes connections, each of which belongs to the call that makes it; functions of users see it in between.
package dialer

import (
	"net/url"
	"sync"
)

// Dialer makes connections.
type Dialer struct {
	mu    sync.Mutex
	calls int
	total int
	// Hook is called with the connection before Dial returns it.
	Hook func(*Conn)
}

// Conn is a connection.
type Conn struct {
	host  string
	tries int
}

// Dial connects.
func (d *Dialer) Dial(s string) (*Conn, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	if u.Host == "" {
		u.Host = "localhost" // NORACE: every call has its own
	}
	c := &Conn{host: u.Host}
	if d.Hook != nil {
		d.Hook(c)
	}
	c.retry(d, 3)
	d.mu.Lock()
	d.calls++ // NORACE
	d.mu.Unlock()
	return c, nil
}

// retry is not inlined: it calls itself.
func (c *Conn) retry(d *Dialer, n int) {
	if n == 0 {
		return
	}
	c.tries++ // NORACE: the connection is the caller's
	d.total++ // RACE!
	c.retry(d, n-1)
}
