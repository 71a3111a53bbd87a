// Package lib prints what its users give it, which may be what they got from it.
package lib

import (
	"fmt"
	"log"
	"sync"
)

// Entry is an entry.
type Entry struct{ n int }

// Table has one.
type Table struct {
	mu sync.Mutex
	e  *Entry
	lg *log.Logger
}

// New makes one.
func New(lg *log.Logger) *Table { return &Table{e: &Entry{}, lg: lg} }

// Entry is the entry.
func (t *Table) Entry() *Entry { return t.e }

// Inc counts.
func (t *Table) Inc() {
	t.mu.Lock()
	t.e.n++ // RACE!
	t.mu.Unlock()
}

// Show prints something.
func (t *Table) Show(v any) { fmt.Println(v) } // RACE!

// ShowAll prints some things.
func (t *Table) ShowAll(vs ...any) { fmt.Println(vs...) } // RACE!

// Log logs something.
func (t *Table) Log(v any) { t.lg.Println("value", v) } // RACE!

// Locked prints under the lock.
func (t *Table) Locked(v any) {
	t.mu.Lock()
	fmt.Println(v)
	t.mu.Unlock()
}
