// Command publish_atomic exchanges a configuration that readers find through an atomic pointer.
package main

import "sync/atomic"

type config struct {
	name  string
	limit int
	tags  []string
}

var (
	current atomic.Pointer[config]
	kept    atomic.Pointer[config]
)

func main() {
	current.Store(&config{"a", 1, nil})
	kept.Store(&config{"a", 1, nil})
	go func() {
		current.Store(&config{"b", 2, nil})
		c := &config{"c", 3, nil}
		kept.Store(c)
		c.limit = 4 // RACE!
	}()
	c := current.Load()
	_, _ = c.limit, c.tags
	_ = kept.Load().limit // RACE!
}
