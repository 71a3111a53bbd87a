// Package sets_variable_ok is a library. Its users cannot set its variable.
package sets_variable_ok

import "sync"

// Store is for concurrent use.
type Store struct {
	mu sync.Mutex
}

var (
	fixed Store
	n     int
)

// standard is the store in use.
var standard = &fixed

// Inc counts.
func Inc() {
	standard.mu.Lock()
	n++ // NORACE
	standard.mu.Unlock()
}

// Other counts.
func Other() {
	fixed.mu.Lock()
	n++ // NORACE
	fixed.mu.Unlock()
}
