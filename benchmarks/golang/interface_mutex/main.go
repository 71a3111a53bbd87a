// The dynamic type has its own lock.
package main

import "sync"

type counter interface{ inc() int }

type safe struct {
	sync.Mutex
	n int
}

func (s *safe) inc() int {
	s.Lock()
	defer s.Unlock()
	s.n++      // NORACE
	return s.n // NORACE
}

func main() {
	var c counter = &safe{}
	go c.inc()
	go c.inc()
	c.inc()
}
