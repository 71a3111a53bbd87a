// Package sets_variable is a library. Its users set its variable before the first use.
package sets_variable

import "sync"

// Store is for concurrent use.
type Store struct {
	mu sync.Mutex
}

var (
	fixed Store
	n     int
)

// Default is the store in use; users may set another one first.
var Default = &fixed

// Inc counts.
func Inc() {
	Default.mu.Lock()
	n++ // RACE!
	Default.mu.Unlock()
}

// Other counts.
func Other() {
	fixed.mu.Lock()
	n++ // RACE!
	fixed.mu.Unlock()
}
