// WANT: verify | racy | container/list moved under a read lock
package main

import (
	"container/list"
	"fmt"
	"sync"
)

type lru struct {
	mu    sync.RWMutex
	order *list.List
	at    map[string]*list.Element
}

func (c *lru) get(k string) (any, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.at[k] // NORACE
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e) // RACE!
	return e.Value, true
}

func (c *lru) put(k string, v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at[k] = c.order.PushFront(v) // NORACE
}

func main() {
	c := &lru{order: list.New(), at: map[string]*list.Element{}}
	for i := range 8 {
		c.put(fmt.Sprint(i), i)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { c.get(fmt.Sprint(i)) })
	}
	wg.Wait()
}
