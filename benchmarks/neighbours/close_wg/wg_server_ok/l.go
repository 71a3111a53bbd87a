// WANT: verify | race-free | the flag and Add lie under the lock, Shutdown sets the flag
// under it before Wait
package wg_server_ok

import "sync"

// Server is safe for concurrent use.
type Server struct {
	mu      sync.Mutex
	closing bool
	active  sync.WaitGroup
}

func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.active.Add(1) // NORACE
	return true
}

// Handle runs f unless the server goes down.
func (s *Server) Handle(f func()) bool {
	if !s.begin() {
		return false
	}
	defer s.active.Done()
	f()
	return true
}

// Shutdown waits for what runs.
func (s *Server) Shutdown() {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.active.Wait() // NORACE
}
