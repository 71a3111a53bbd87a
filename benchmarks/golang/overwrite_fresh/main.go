// Locks are made anew before others know them: nothing changes for those who use them.
package main

import "sync"

type cache struct {
	mu   sync.Mutex
	once sync.Once
	m    map[string]int
}

func newCache() *cache {
	c := &cache{mu: sync.Mutex{}}
	c.once = sync.Once{}
	*c = cache{}
	return c
}

func (c *cache) make() { c.m = map[string]int{} }

func (c *cache) put(k string) {
	c.once.Do(c.make)
	c.mu.Lock()
	c.m[k]++ // NORACE
	c.mu.Unlock()
}

func main() {
	c := newCache()
	var wg sync.WaitGroup
	wg = sync.WaitGroup{}
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.put("a")
	}()
	c.put("b")
	wg.Wait()
	println(len(c.m)) // NORACE
}
