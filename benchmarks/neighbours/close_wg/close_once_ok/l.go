// WANT: verify | race-free | Close by a sync.Once; nobody sends on done, data is handed
// over in a select
package close_once_ok

import (
	"errors"
	"sync"
)

// Stream is safe for concurrent use.
type Stream struct {
	once sync.Once
	done chan struct{}
	data chan []byte
}

// New opens a stream.
func New() *Stream { return &Stream{done: make(chan struct{}), data: make(chan []byte)} }

// Write hands b to a reader.
func (s *Stream) Write(b []byte) error {
	select {
	case <-s.done:
		return errors.New("closed")
	case s.data <- b: // NORACE
		return nil
	}
}

// Read takes what a writer hands over.
func (s *Stream) Read() ([]byte, error) {
	select {
	case <-s.done:
		return nil, errors.New("closed")
	case b := <-s.data:
		return b, nil
	}
}

// Close may be called again.
func (s *Stream) Close() { s.once.Do(func() { close(s.done) }) } // NORACE
