// In the manner of istio #8214: a cache counts its writes atomically, but hands its statistics out as a plain copy.
package main

import (
	"sync"
	"sync/atomic"
)

type stats struct{ writes, hits uint64 }

type lru struct{ st stats }

func (c *lru) set(k string) {
	atomic.AddUint64(&c.st.writes, 1) // RACE!
}

func (c *lru) stats() stats {
	return c.st // RACE!
}

func main() {
	c := new(lru)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.set("a")
	}()
	println(c.stats().writes)
	wg.Wait()
}
