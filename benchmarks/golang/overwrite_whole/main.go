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

func (s *stats) read() int {
	s.mu.RLock()         // RACE!
	defer s.mu.RUnlock() // RACE!
	return s.n           // RACE!
}

func (s *stats) reset() {
	*s = stats{} // RACE!
}

func (g *gauge) hit() {
	g.once.Do(func() {}) // RACE!
	g.hits.Add(1)        // RACE!
}

func (g *gauge) snapshot() int64 {
	c := *g // RACE!
	return c.hits.Load()
}

func main() {
	s, g := new(stats), new(gauge)
	done := make(chan bool)
	go func() {
		s.reset()
		g.hit()
		close(done)
	}()
	println(s.read(), g.snapshot())
	<-done
}
