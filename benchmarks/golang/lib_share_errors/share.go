// Package share has files that keep the error that closed them: a variable of the package
// leads to one that counts.
package share

import "sync"

// closed is what all files have got.
type closed struct{ times int }

func (c *closed) Error() string { return "closed" }

var errClosed error = &closed{}

// File is safe for concurrent use.
type File struct {
	mu  sync.Mutex
	err error
}

// New makes a file.
func New() *File { return &File{} }

// Close closes the file, and counts: files have locks of their own.
func (f *File) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = errClosed
	if c, ok := f.err.(*closed); ok {
		c.times++ // RACE!
	}
}
