// Package registry gives objects to its users that it goes on to write.
package registry

import (
	"maps"
	"sync"
)

// Entry is read by users.
type Entry struct{ Hits int }

// Registry has entries.
type Registry struct {
	mu      sync.Mutex
	entries map[string]*Entry
	done    []*Entry
}

// New makes one.
func New() *Registry { return &Registry{entries: map[string]*Entry{}} }

// Hit makes an entry if there is none.
func (r *Registry) Hit(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[name]
	if e == nil {
		e = &Entry{}
		r.entries[name] = e
	}
	e.Hits++ // RACE!
}

// All hits all.
func (r *Registry) All() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.entries {
		e.Hits++ // RACE!
	}
}

// At gives one to the user.
func (r *Registry) At(name string) *Entry { // RACE!
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries[name]
}

// Snapshot is a new map of the same entries.
func (r *Registry) Snapshot() map[string]*Entry { // RACE!
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.entries)
}

// List is a new slice of the same entries.
func (r *Registry) List() []*Entry { // RACE!
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*Entry
	for _, e := range r.entries {
		out = append(out, e)
	}
	return out
}

// Copies gives values.
func (r *Registry) Copies() []Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Entry
	for _, e := range r.entries {
		out = append(out, *e)
	}
	return out
}

// Take takes one out.
func (r *Registry) Take(name string) *Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[name]
	delete(r.entries, name)
	return e
}
