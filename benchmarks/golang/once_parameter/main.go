// The function that a sync.Once runs captures the parameter that leads to the Once.
package main

import "sync"

type cache struct {
	once sync.Once
	m    map[string]int
}

func (c *cache) get(k string) int {
	c.once.Do(func() { c.m = map[string]int{"a": 1} }) // NORACE
	return c.m[k]                                      // NORACE
}

func main() {
	c := &cache{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.get("a")
	}()
	c.get("b")
	wg.Wait()
}
