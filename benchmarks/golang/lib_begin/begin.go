// Package begin has transactions that hold a lock of their database from begin to end, where begin succeeds.
package begin

import (
	"errors"
	"sync"
)

// DB is a database.
type DB struct {
	rw   sync.RWMutex
	n    int
	open bool
}

// Tx is a transaction.
type Tx struct{ db *DB }

var errClosed = errors.New("closed")

// begin is not inlined: it calls itself.
func (db *DB) begin(writable bool, tries int) (*Tx, error) {
	if !writable {
		db.rw.RLock()
		return &Tx{db: db}, nil
	}
	db.rw.Lock()
	if !db.open {
		db.rw.Unlock()
		if tries == 0 {
			return nil, errClosed
		}
		return db.begin(writable, tries-1)
	}
	return &Tx{db: db}, nil
}

// Update runs a function with the database locked.
func (db *DB) Update(fn func(*Tx) error) error {
	t, err := db.begin(true, 3)
	if err != nil {
		return err
	}
	defer func() { check(t) }()
	t.db.n++ // NORACE
	err = fn(t)
	t.db.n++ // NORACE
	t.db.rw.Unlock()
	return err
}

func check(t *Tx) {
	if t.db == nil {
		panic("a transaction without a database")
	}
}

// Close ends it.
func (db *DB) Close() {
	db.rw.Lock()
	db.open = false // NORACE
	db.rw.Unlock()
}
