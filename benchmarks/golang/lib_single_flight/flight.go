// Package flight runs a function once for all who ask at the same time: in the caller's
// goroutine, or in one of its own, on different ways through Do.
package flight

import "sync"

type call struct {
	wg  sync.WaitGroup
	val any
	err error
}

// Group is a set of calls.
type Group struct {
	mu sync.Mutex
	m  map[any]*call
}

// Do runs fn, or waits for who does.
func (g *Group) Do(key any, fn func() (any, error), wait bool) (any, error) {
	g.mu.Lock()
	if g.m == nil {
		g.m = map[any]*call{} // NORACE
	}
	if c, ok := g.m[key]; ok {
		g.mu.Unlock()
		if !wait {
			return nil, nil
		}
		c.wg.Wait()
		return c.val, c.err // NORACE
	}
	c := new(call)
	c.wg.Add(1)
	g.m[key] = c
	g.mu.Unlock()
	if !wait {
		go g.call(c, key, fn)
		return nil, nil
	}
	return g.call(c, key, fn)
}

func (g *Group) call(c *call, key any, fn func() (any, error)) (any, error) {
	c.val, c.err = fn() // NORACE
	c.wg.Done()
	g.mu.Lock()
	delete(g.m, key)
	g.mu.Unlock()
	return c.val, c.err
}
