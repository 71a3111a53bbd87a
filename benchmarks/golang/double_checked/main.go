// Double-checked locking without atomics.
package main

import "sync"

type config struct{ name string }

var (
	mu   sync.Mutex
	conf *config
)

func get() *config {
	if conf == nil { // RACE!
		mu.Lock()
		defer mu.Unlock()
		if conf == nil { // NORACE
			conf = &config{name: "x"} // RACE!
		}
	}
	return conf // RACE!
}

func main() {
	go get()
	println(get().name) // UNSEEN: written before it is published by a racy store (memory-model)
}
