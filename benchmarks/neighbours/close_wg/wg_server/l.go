// WANT: verify | racy | Handle adds, Shutdown waits; the flag between them is read before
// Add without a lock held over both
package wg_server

import (
	"sync"
	"sync/atomic"
)

// Server is safe for concurrent use.
type Server struct {
	closing atomic.Bool
	active  sync.WaitGroup
}

// Handle runs f unless the server goes down.
func (s *Server) Handle(f func()) bool {
	if s.closing.Load() {
		return false
	}
	s.active.Add(1) // RACE!
	go func() {
		defer s.active.Done()
		f()
	}()
	return true
}

// Shutdown waits for what runs.
func (s *Server) Shutdown() {
	s.closing.Store(true)
	s.active.Wait() // RACE!
}
