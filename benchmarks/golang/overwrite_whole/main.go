// Structs with locks in them are overwritten and copied as a whole while others use the locks.
package main

import (
	"sync"
	"sync/atomic"
)

type stats struct {
	mu sync.RWMutex
	n  int
}

type gauge struct {
	once sync.Once
	hits atomic.Int64
}

func main() {
	s, g := new(stats), new(gauge)
	done := make(chan bool)
	go func() {
		*s = stats{}         // RACE!
		g.once.Do(func() {}) // RACE!
		g.hits.Add(1)        // RACE!
		close(done)
	}()
	s.mu.RLock()   // RACE!
	n := s.n       // RACE!
	s.mu.RUnlock() // RACE!
	c := *g        // RACE!
	println(n, c.hits.Load())
	<-done
}
