// Package kept is lib_kept_types with a lock too few: what the compressor writes to counts without it.
package kept

import (
	"bufio"
	"compress/flate"
	"io"
	"sync"
)

// Sender sends texts, through a buffer or not. It may be used by several goroutines.
type Sender struct {
	mu  sync.Mutex
	out io.Writer
	n   int
}

// message is what a value is written to.
type message struct {
	s *Sender
}

// Write hands a piece on, with the sender's lock held.
func (m *message) Write(p []byte) (int, error) {
	m.s.n += len(p) // RACE!
	return m.s.out.Write(p)
}

// New makes a sender that writes to w.
func New(w io.Writer, size int) *Sender {
	if size > 0 {
		w = bufio.NewWriterSize(w, size)
	}
	return &Sender{out: w}
}

// begin makes a message.
func (s *Sender) begin() io.Writer { return &message{s: s} }

// Send compresses a text.
func (s *Sender) Send(text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := flate.NewWriter(s.begin(), 1)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}

// Sent is how many bytes were written.
func (s *Sender) Sent() int {
	return s.n // RACE!
}
