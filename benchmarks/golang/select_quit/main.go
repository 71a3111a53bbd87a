// A worker with a quit channel and a mutex.
package main

import "sync"

type server struct {
	mu   sync.Mutex
	n    int
	quit chan struct{}
	in   chan int
}

func (s *server) run() {
	for {
		select {
		case v := <-s.in:
			s.mu.Lock()
			s.n += v // NORACE
			s.mu.Unlock()
		case <-s.quit:
			return
		}
	}
}

func main() {
	s := &server{quit: make(chan struct{}), in: make(chan int)}
	go s.run()
	s.in <- 1
	s.mu.Lock()
	println(s.n) // NORACE
	s.mu.Unlock()
	close(s.quit)
}
