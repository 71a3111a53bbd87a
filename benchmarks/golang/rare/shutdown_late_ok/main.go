// The server of shutdown_late, repaired: a request holds the lock shared as long as it runs.
package main

import (
	"sync"
	"time"
)

type server struct {
	mu     sync.RWMutex
	closed bool
	buf    []byte
}

func (s *server) handle() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed { // NORACE
		return 0
	}
	return len(s.buf) // NORACE
}

func (s *server) shutdown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true // NORACE
	s.buf = nil     // NORACE
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
