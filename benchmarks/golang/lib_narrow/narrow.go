// Package narrow asks its users for links and gives them writers, which are no links.
package narrow

import (
	"io"
	"sync"
)

// Link is what users make.
type Link interface {
	io.Writer
	Close() error
}

// Conn is a connection.
type Conn struct {
	mu   sync.Mutex
	link Link
}

type writer struct {
	c *Conn
	n int
}

func (w *writer) Write(p []byte) (int, error) {
	w.n++ // NORACE: no link is a writer
	return len(p), nil
}

// Writer gives a writer to its user.
func (c *Conn) Writer() io.Writer { return &writer{c: c} }

// Dialer makes connections.
type Dialer struct {
	mu   sync.Mutex
	Dial func() Link
}

// Open makes a connection with what the user's function returns.
func (d *Dialer) Open() *Conn {
	l := d.Dial()
	hello(l)
	return &Conn{link: l}
}

// Wrap makes one of what the user has.
func (d *Dialer) Wrap(l Link) *Conn {
	hello(l)
	return &Conn{link: l}
}

func hello(w io.Writer) {
	if w != nil {
		w.Write([]byte("hello"))
	}
}
