// Package flight gives a call to two who handle it, on one way through Do.
package flight

import "sync"

type call struct {
	wg  sync.WaitGroup
	val int
}

// Group is a set of calls.
type Group struct {
	mu sync.Mutex
	m  map[any]*call
}

// New makes one.
func New() *Group { return &Group{m: map[any]*call{}} }

// Do gives a call to a goroutine and goes on with it.
func (g *Group) Do(key any, n int) int {
	g.mu.Lock()
	if c, ok := g.m[key]; ok {
		g.mu.Unlock()
		c.wg.Wait()
		return c.val // RACE!
	}
	c := new(call)
	c.wg.Add(1)
	g.m[key] = c
	g.mu.Unlock()
	switch {
	case n > 1:
		go g.call(c)
		fallthrough
	case n > 0:
		return g.peek(c)
	}
	return g.call(c)
}

func (g *Group) peek(c *call) int {
	c.val++ // RACE!
	return 0
}

func (g *Group) call(c *call) int {
	c.val++ // RACE!
	c.wg.Done()
	return 0
}
