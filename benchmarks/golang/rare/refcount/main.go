// A cache counts the users of its objects, but counts a user in a second critical section, after the look-up. An evictor that comes
// between the two sections finds no user and clears the object while the user reads it. In every other schedule the count is
// right, and the cache's lock orders the reading before the clearing.
package main

import (
	"sync"
	"time"
)

type object struct {
	refs int
	data []byte
}

type cache struct {
	mu    sync.Mutex
	items map[string]*object
}

func (c *cache) get(key string) *object {
	c.mu.Lock()
	o := c.items[key]
	c.mu.Unlock()
	if o == nil {
		return nil
	}
	c.mu.Lock()
	o.refs++ // NORACE
	c.mu.Unlock()
	return o
}

func (c *cache) put(o *object) {
	c.mu.Lock()
	o.refs-- // NORACE
	c.mu.Unlock()
}

func (c *cache) evict(key string) {
	c.mu.Lock()
	o := c.items[key]
	free := o != nil && o.refs == 0 // NORACE
	if free {
		delete(c.items, key) // NORACE
	}
	c.mu.Unlock()
	if free {
		o.data = nil // RACE!
	}
}

func main() {
	c := &cache{items: map[string]*object{"a": {data: make([]byte, 100)}}}
	total := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if o := c.get("a"); o != nil {
			total += len(o.data) // RACE!
			c.put(o)
		}
	}()
	time.Sleep(5 * time.Millisecond)
	c.evict("a")
	wg.Wait()
	println(total) // NORACE
}
