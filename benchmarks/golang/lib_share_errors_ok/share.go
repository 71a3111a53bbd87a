// Package share has files that keep the error that closed them, one of the package's, and
// show their bytes to functions of users.
package share

import (
	"errors"
	"io"
	"sync"
)

// ErrClosed is returned by all files that are closed.
var ErrClosed = errors.New("closed")

// File is safe for concurrent use.
type File struct {
	mu   sync.Mutex
	data []byte
	err  error
}

// New makes a file.
func New(size int) *File { return &File{data: make([]byte, size)} }

// Set sets a byte.
func (f *File) Set(i int, b byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil { // NORACE
		return f.err
	}
	if i >= len(f.data) {
		f.err = io.EOF // NORACE
		return f.err
	}
	f.data[i] = b // NORACE
	return nil
}

// Each shows the bytes.
func (f *File) Each(see func([]byte) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil { // NORACE
		return f.err
	}
	return see(f.data) // NORACE
}

// Close closes the file.
func (f *File) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = ErrClosed // NORACE
}

// Busy is an error that counts; who got it has it alone.
type Busy struct{ waits map[string]int }

func (b *Busy) Error() string { return "busy" }

// Wait counts.
func (b *Busy) Wait(name string) { b.waits[name]++ }

// Try returns a new error.
func Try() error { return &Busy{waits: map[string]int{}} }
