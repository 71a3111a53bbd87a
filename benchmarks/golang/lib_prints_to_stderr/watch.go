// Package watch prints to the standard error, which is safe, and has a channel for users.
package watch

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// W watches.
type W struct {
	mu     sync.Mutex
	Events chan Event
}

// Event is sent.
type Event struct {
	Name string
	Op   int
}

// ErrNo says that there is no name.
var ErrNo = errors.New("no")

// New makes one.
func New() *W { w := &W{Events: make(chan Event)}; return w }

// Add adds.
func (w *W) Add(name string) error {
	if os.Getenv("WATCH_DEBUG") != "" {
		fmt.Fprintf(os.Stderr, "Add %q\n", name)
	}
	if name == "" {
		return fmt.Errorf("%w: %s", ErrNo, name)
	}
	return nil
}

// Send sends.
func (w *W) Send(name string) { w.Events <- Event{name, 1} }
