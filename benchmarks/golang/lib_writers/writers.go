// Package writers keeps writers and readers of its users, which need not be for concurrent use.
package writers

import (
	"fmt"
	"io"
	"sync"
)

// Log writes lines.
type Log struct {
	mu sync.Mutex
	n  int
	w  io.Writer
}

// NewLog makes one.
func NewLog(w io.Writer) *Log { return &Log{w: w} }

// Print writes after it has given back the lock.
func (l *Log) Print(s string) {
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
	fmt.Fprintln(l.w, s) // RACE!
}

// LogOK writes under the lock.
type LogOK struct {
	mu sync.Mutex
	w  io.Writer
}

// NewLogOK makes one.
func NewLogOK(w io.Writer) *LogOK { return &LogOK{w: w} }

// Print writes.
func (l *LogOK) Print(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(l.w, s)
}

// Source reads numbers.
type Source struct {
	mu sync.RWMutex
	r  io.Reader
}

// NewSource makes one.
func NewSource(r io.Reader) *Source { return &Source{r: r} }

// Next reads one, under the readers' lock.
func (s *Source) Next() (b [1]byte) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.r.Read(b[:]) // RACE!
	return b
}
