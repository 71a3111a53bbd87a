// sync.Once publishes what it made.
package main

import "sync"

type config struct{ name string }

var (
	once sync.Once
	conf *config
)

func get() *config {
	once.Do(func() {
		conf = &config{name: "x"} // NORACE
	})
	return conf // NORACE
}

func main() {
	go get()
	go get()
	println(get().name) // NORACE
}
