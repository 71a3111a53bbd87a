// The WaitGroup is passed to a named worker.
package main

import (
	"fmt"
	"sync"
)

type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) inc(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[name]++ // NORACE
}

func worker(c *counter, wg *sync.WaitGroup) {
	defer wg.Done()
	for i := 0; i < 10; i++ {
		c.inc("a")
	}
}

func main() {
	c := &counter{n: map[string]int{}}
	var wg sync.WaitGroup
	wg.Add(2)
	go worker(c, &wg)
	go worker(c, &wg)
	wg.Wait()
	fmt.Println(c.n["a"]) // NORACE
}
