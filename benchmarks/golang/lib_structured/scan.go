// Package scan starts goroutines for which the call waits: they work under the locks of the call.
package scan

import (
	"errors"
	"strings"
	"sync"
)

// Table has rows.
type Table struct {
	mu   sync.Mutex
	rows map[int]string
	seen int
	bad  int
}

// New makes a table, and scans it.
func New(n int) *Table {
	t := &Table{rows: map[int]string{}}
	for i := range n {
		t.rows[i] = "row"
	}
	t.scan()
	t.seen++ // NORACE: the goroutine has ended
	return t
}

// scan counts the rows in a goroutine.
func (t *Table) scan() {
	errs := make(chan error)
	go func() {
		defer close(errs)
		for _, r := range t.rows { // NORACE
			t.seen++ // NORACE
			t.look(r, errs)
		}
	}()
	for err := range errs {
		panic("scan: " + err.Error())
	}
	t.seen-- // NORACE
}

func (t *Table) look(r string, errs chan error) {
	if r == "" {
		t.bad++ // NORACE
		errs <- errors.New("an empty row")
	}
}

// Put adds a row.
func (t *Table) Put(i int, r string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[i] = r // NORACE
	t.scan()
}

// Clear removes all rows.
func (t *Table) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := make(chan struct{})
	go func() {
		clear(t.rows) // NORACE
		t.seen = 0    // NORACE
		close(done)
	}()
	<-done
	t.bad = 0 // NORACE
}

// check looks at the rows; it has ended when the channel is closed.
func (t *Table) check() <-chan error {
	errs := make(chan error)
	go func() {
		defer close(errs)
		t.bad = 0 // NORACE
		for _, r := range t.rows {
			t.look(r, errs)
		}
	}()
	return errs
}

// Check returns what is wrong.
func (t *Table) Check() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	errs := t.check()
	var all []string
	for {
		err, ok := <-errs
		if !ok {
			break
		}
		all = append(all, err.Error())
	}
	t.bad++ // NORACE
	return strings.Join(all, ", ")
}
