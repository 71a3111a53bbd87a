// Package starts_ok is a library. A goroutine is started once.
package starts_ok

import "sync"

var (
	once sync.Once
	n    int
)

// start starts the counter.
func start() {
	go func() {
		n++ // NORACE
	}()
}

// Use starts it once.
func Use() { once.Do(start) }
