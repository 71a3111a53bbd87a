// Who swaps the word goes on alone, until it is set back.
package main

import "sync/atomic"

type server struct {
	state atomic.Int32
	busy  atomic.Bool
	runs  int
	saved int
}

func (s *server) run() {
	if !s.state.CompareAndSwap(0, 1) {
		return
	}
	s.runs++ // NORACE
	s.state.Store(0)
}

func (s *server) save() {
	if s.busy.Swap(true) {
		return
	}
	s.saved++ // NORACE
	s.busy.Store(false)
}

func main() {
	s := &server{}
	for range 3 {
		go s.run()
		go s.save()
	}
}
