// The cache of refcount, repaired: the user is counted where the object is looked up, so an object without users has none.
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
	defer c.mu.Unlock()
	o := c.items[key]
	if o != nil {
		o.refs++ // NORACE
	}
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
		o.data = nil // RULED OUT: that the count is zero is not followed
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
			total += len(o.data) // RULED OUT: that the count is zero is not followed
			c.put(o)
		}
	}()
	time.Sleep(5 * time.Millisecond)
	c.evict("a")
	wg.Wait()
	println(total) // NORACE
}
