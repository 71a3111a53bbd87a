// Package kept gives a library object a slice that it keeps.
package kept

import (
	"bytes"
	"sync"
)

// Log has a buffer over its array.
type Log struct {
	mu  sync.Mutex
	raw []byte
	buf *bytes.Buffer
}

// New makes a log.
func New() *Log {
	raw := make([]byte, 8)
	return &Log{raw: raw, buf: bytes.NewBuffer(raw[:0])}
}

// Add writes through the buffer.
func (l *Log) Add(c byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.WriteByte(c) // RACE!
}

// First reads the array itself.
func (l *Log) First() byte {
	return l.raw[0] // RACE!
}
