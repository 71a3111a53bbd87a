// Package starts is a library. Its users start what it starts once.
package starts

import "sync"

var (
	once sync.Once
	n    int
)

// Start starts the counter.
func Start() {
	go func() {
		n++ // RACE!
	}()
}

// Use starts it once.
func Use() { once.Do(Start) }
