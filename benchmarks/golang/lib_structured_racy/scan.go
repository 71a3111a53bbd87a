// Package scan starts goroutines for which it does not wait long enough.
package scan

import (
	"errors"
	"sync"
)

// Table has rows.
type Table struct {
	mu      sync.Mutex
	rows    map[int]string
	seen    int
	bad     int
	last    int
	early   int
	some    int
	halves  int
	stopped int
	after   int
}

// New makes a table.
func New() *Table { return &Table{rows: map[int]string{}} }

// Seen works while the goroutine does.
func (t *Table) Seen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	errs := make(chan error)
	go func() {
		defer close(errs)
		t.seen++ // RACE!
		errs <- errors.New("seen")
	}()
	t.seen-- // RACE!
	for range errs {
	}
}

// Early waits on one path only.
func (t *Table) Early(wait bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.early++ // RACE!
	}()
	if wait {
		<-done
	}
}

// Some waits for the first error.
func (t *Table) Some() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	errs := make(chan error, 2)
	go func() {
		defer close(errs)
		errs <- nil
		t.some++ // RACE!
	}()
	return <-errs
}

// Last does something after the channel is closed.
func (t *Table) Last() {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := make(chan struct{})
	go func() {
		close(done)
		t.last++ // RACE!
	}()
	<-done
}

// Halves starts two goroutines, and waits for one.
func (t *Table) Halves() {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := make(chan struct{})
	go func() {
		t.halves++ // RACE!
	}()
	go func() {
		defer close(done)
		t.halves++ // RACE!
	}()
	<-done
}

// Stopped waits for a channel that may be closed by another as well.
func (t *Table) Stopped(stop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := make(chan struct{})
	once := sync.Once{}
	end := func() { once.Do(func() { close(done) }) } // NORACE
	go func() {
		defer end()
		t.stopped++ // RACE!
	}()
	go end()
	<-done
}

// Check looks at the rows; it has ended when the channel is closed.
func (t *Table) Check() <-chan error {
	errs := make(chan error)
	go func() {
		defer close(errs)
		t.bad++ // RACE!
	}()
	return errs
}

// Wait waits for a check: users of Check need not.
func (t *Table) Wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for range t.Check() {
	}
	t.bad++ // RACE!
}

// After waits, and releases the lock before.
func (t *Table) After() {
	t.mu.Lock()
	done := make(chan struct{})
	t.mu.Unlock()
	go func() {
		defer close(done)
		t.after++ // RACE!
	}()
	<-done
}
