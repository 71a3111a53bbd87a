// WANT: verify | racy | sync.Once guards opening; Close and the counter of uses are not
// guarded
package once_state

import (
	"errors"
	"sync"
)

type conn struct{ open bool }

// DB opens its connection when it is needed.
type DB struct {
	once sync.Once
	conn *conn
	err  error
	uses int
}

func (d *DB) init() { d.conn = &conn{open: true} }

// Query uses the connection.
func (d *DB) Query(q string) (int, error) {
	d.once.Do(d.init)
	if d.err != nil {
		return 0, d.err
	}
	if q == "" {
		return 0, errors.New("empty")
	}
	d.uses++ // RACE!
	return len(q), nil
}
