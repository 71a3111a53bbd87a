// Package sends_ok is a library. Its goroutine alone sends.
package sends_ok

import "sync"

// S is for concurrent use.
type S struct {
	mu  sync.Mutex
	out chan int
	n   int
}

// New makes one.
func New() *S {
	s := &S{out: make(chan int)}
	go s.loop()
	return s
}

func (s *S) loop() {
	s.n++ // NORACE
	s.push(1)
}

// push sends.
func (s *S) push(v int) { s.out <- v }

// Get waits.
func (s *S) Get() int {
	<-s.out
	return s.n // NORACE
}
