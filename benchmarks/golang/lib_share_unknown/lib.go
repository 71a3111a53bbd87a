// Package lib_share_unknown gets values, or what they lead to, out of a library.
package lib_share_unknown

import (
	"context"
	"encoding/json"
	"io"
	"sync"
)

type key struct{}

// Kept is kept in a context.
type Kept struct {
	mu sync.Mutex
	n  int
}

// New makes one.
func New() *Kept { return &Kept{} }

// With puts one into a context.
func With(ctx context.Context, k *Kept) context.Context { return context.WithValue(ctx, key{}, k) }

// Merge adds what the context has.
func (k *Kept) Merge(ctx context.Context) {
	o, _ := ctx.Value(key{}).(*Kept)
	if o == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.n += o.n // RACE!
}

// Inc counts.
func (k *Kept) Inc() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.n++ // RACE!
}

type settings struct{ N int }

// Filled has settings that a library fills.
type Filled struct {
	mu sync.Mutex
	s  *settings
}

// NewFilled makes one.
func NewFilled() *Filled { return &Filled{s: &settings{}} }

// Fork makes another one with the same settings.
func (f *Filled) Fork() *Filled { return &Filled{s: f.s} }

// Load reads them.
func (f *Filled) Load(b []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return json.Unmarshal(b, f.s) // RACE!
}

// Get is one of them.
func (f *Filled) Get() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.s.N // RACE!
}

// Read reads the settings, and closes where they come from, at once and once more later.
func (f *Filled) Read(from io.ReadCloser) error {
	b, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	defer from.Close()
	go from.Close()
	return f.Load(b)
}
