// Package calls waits for calls with WaitGroups that do not order them.
package calls

import "sync"

type call struct {
	wg  sync.WaitGroup
	val int
}

type late struct {
	wg  sync.WaitGroup
	val int
}

type two struct {
	wg  sync.WaitGroup
	val int
}

type ended struct {
	wg  sync.WaitGroup
	val int
}

// Calls are those that run.
type Calls struct {
	mu    sync.Mutex
	m     map[string]*call
	lates map[string]*late
	twos  map[string]*two
	ends  map[string]*ended
}

// New makes an empty set.
func New() *Calls {
	return &Calls{m: map[string]*call{}, lates: map[string]*late{}, twos: map[string]*two{}, ends: map[string]*ended{}}
}

// Do gives the call to a goroutine, and writes to it afterwards.
func (s *Calls) Do(key string) {
	c := new(call)
	c.wg.Add(1)
	s.mu.Lock()
	s.m[key] = c
	s.mu.Unlock()
	go s.run(c)
	c.val = 1 // RACE!
}

func (s *Calls) run(c *call) {
	c.val++ // RACE!
	c.wg.Done()
	c.val++ // RACE!
}

// Get waits.
func (s *Calls) Get(key string) int {
	s.mu.Lock()
	c := s.m[key]
	s.mu.Unlock()
	if c == nil {
		return 0
	}
	c.wg.Wait()
	return c.val // RACE!
}

// Late adds after others have the object.
func (s *Calls) Late(key string) int {
	s.mu.Lock()
	if c, ok := s.lates[key]; ok {
		s.mu.Unlock()
		c.wg.Wait()  // RACE!
		return c.val // RACE!
	}
	c := new(late)
	s.lates[key] = c
	s.mu.Unlock()
	c.wg.Add(1) // RACE!
	c.val++     // RACE!
	c.wg.Done()
	return 0
}

// Two gives the object to two goroutines.
func (s *Calls) Two(key string) int {
	s.mu.Lock()
	if c, ok := s.twos[key]; ok {
		s.mu.Unlock()
		c.wg.Wait()
		return c.val // RACE!
	}
	c := new(two)
	c.wg.Add(1)
	s.twos[key] = c
	s.mu.Unlock()
	go s.half(c, true)
	go s.half(c, false)
	return 0
}

func (s *Calls) half(c *two, last bool) {
	c.val++ // RACE!
	if last {
		c.wg.Done()
	}
}

// Ended may be ended by somebody else.
func (s *Calls) Ended(key string) int {
	s.mu.Lock()
	if c, ok := s.ends[key]; ok {
		s.mu.Unlock()
		c.wg.Wait()
		return c.val // RACE!
	}
	c := new(ended)
	c.wg.Add(1)
	s.ends[key] = c
	s.mu.Unlock()
	c.val++ // RACE!
	return 0
}

// End ends it.
func (s *Calls) End(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.ends[key]; c != nil {
		c.wg.Done()
		delete(s.ends, key)
	}
}
