// Package registry has package-level state with a lock.
package registry

import "sync"

var (
	mu    sync.Mutex
	funcs = map[string]func() error{}
	calls int
)

// Register names a function.
func Register(name string, f func() error) {
	mu.Lock()
	defer mu.Unlock()
	funcs[name] = f // NORACE
}

// Call calls a function by its name.
func Call(name string) error {
	mu.Lock()
	f := funcs[name] // NORACE
	mu.Unlock()
	calls++ // RACE!
	if f == nil {
		return nil
	}
	return f()
}
