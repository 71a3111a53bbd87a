// WANT: verify | racy | the lock is an own interface that the options choose; stats are
// changed after Unlock
package own_iface

import "sync"

// Mutex is what the log needs.
type Mutex interface {
	Lock()
	Unlock()
}

type nop struct{}

func (nop) Lock()   {}
func (nop) Unlock() {}

// Log keeps lines.
type Log struct {
	lock  Mutex
	lines []string
	drops int
}

// NewLog makes a log for concurrent use.
func NewLog() *Log { return &Log{lock: &sync.Mutex{}} }

// NewLocalLog makes a log for one goroutine.
func NewLocalLog() *Log { return &Log{lock: nop{}} }

// Print adds a line; at most 100 are kept.
func (l *Log) Print(s string) {
	l.lock.Lock()
	full := len(l.lines) >= 100
	if !full {
		l.lines = append(l.lines, s)
	}
	l.lock.Unlock()
	if full {
		l.drops++ // RACE!
	}
}
