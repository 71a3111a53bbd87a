// Each store of a list of stores gets the same item.
package main

import "sync"

type item struct{ n int }

type store struct {
	mu sync.Mutex
	p  *item
}

func (s *store) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p != nil {
		s.p.n++ // RACE!
	}
}

func main() {
	a, b := &store{}, &store{}
	it := &item{}
	for _, x := range []*store{a, b} {
		x.p = it
	}
	var w sync.WaitGroup
	w.Add(2)
	go func() {
		defer w.Done()
		a.add()
	}()
	go func() {
		defer w.Done()
		b.add()
	}()
	w.Wait()
}
