// Package group starts goroutines in its methods: what its constructor wrote is there before.
package group

import "sync"

// Group runs functions.
type Group struct {
	wg     sync.WaitGroup
	cancel func()
	once   sync.Once
	ended  int
}

// New makes a group.
func New(cancel func()) *Group {
	return &Group{cancel: cancel} // NORACE
}

// Go starts a function.
func (g *Group) Go(f func() error) {
	g.wg.Add(1) // RACE!
	go func() {
		defer g.wg.Done()
		if f() != nil && g.cancel != nil { // NORACE
			g.once.Do(g.cancel) // NORACE
		}
		g.ended++ // RACE!
	}()
}

// Wait waits.
func (g *Group) Wait() { g.wg.Wait() } // RACE!
