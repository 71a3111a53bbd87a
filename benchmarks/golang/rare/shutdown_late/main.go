// A server's shutdown frees the buffers if no request is running. A request looks whether the server is closed and is counted in two
// critical sections: if the shutdown comes between them, it counts no request and frees the buffer that the request uses.
package main

import (
	"sync"
	"time"
)

type server struct {
	mu     sync.Mutex
	closed bool
	active int
	buf    []byte
}

func (s *server) handle() int {
	s.mu.Lock()
	closed := s.closed // NORACE
	s.mu.Unlock()
	if closed {
		return 0
	}
	s.mu.Lock()
	s.active++ // NORACE
	s.mu.Unlock()
	n := len(s.buf) // RACE!
	s.mu.Lock()
	s.active-- // NORACE
	s.mu.Unlock()
	return n
}

func (s *server) shutdown() {
	s.mu.Lock()
	s.closed = true // NORACE
	idle := s.active == 0
	s.mu.Unlock()
	if idle {
		s.buf = nil // RACE!
	}
}

func main() {
	s := &server{buf: make([]byte, 512)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		s.handle()
	}()
	time.Sleep(5 * time.Millisecond)
	s.shutdown()
	wg.Wait()
}
