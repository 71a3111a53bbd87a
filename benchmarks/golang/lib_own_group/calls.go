// Package calls runs functions once for all who ask at the same time: the WaitGroup of a call orders who runs it and who waits.
package calls

import "sync"

type call struct {
	wg  sync.WaitGroup
	val int
	err error
}

// Calls are those that run.
type Calls struct {
	mu sync.Mutex
	m  map[string]*call
}

// New makes an empty set.
func New() *Calls { return &Calls{m: map[string]*call{}} }

// Do runs a function, or waits for the call that runs.
func (s *Calls) Do(key string, fn func() (int, error)) (int, error) {
	s.mu.Lock()
	if c, ok := s.m[key]; ok {
		s.mu.Unlock()
		c.wg.Wait()
		return c.val, c.err // NORACE
	}
	c := new(call)
	c.wg.Add(1)
	s.m[key] = c
	s.mu.Unlock()
	s.run(c, key, fn)
	return c.val, c.err // NORACE
}

// Start runs a function in a goroutine, unless it runs.
func (s *Calls) Start(key string, fn func() (int, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[key]; ok {
		return
	}
	c := &call{val: 1} // NORACE
	c.wg.Add(1)
	s.m[key] = c
	go s.run(c, key, fn)
}

func (s *Calls) run(c *call, key string, fn func() (int, error)) {
	ok := false
	defer func() {
		if !ok {
			c.val = 0 // NORACE
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		c.wg.Done()
		delete(s.m, key)
	}()
	c.val, c.err = fn() // NORACE
	ok = true
}
