// Package sends_elsewhere_ok is a library. Its users receive from the channel that they get.
package sends_elsewhere_ok

import "sync"

// S is for concurrent use.
type S struct {
	mu  sync.Mutex
	out chan int
	n   int
}

// New makes one.
func New() *S {
	s := &S{out: make(chan int, 1)}
	go s.loop()
	return s
}

func (s *S) loop() {
	s.n++ // NORACE
	s.out <- 1
}

// Chan is where users may receive, too.
func (s *S) Chan() <-chan int { return s.out }

// Get waits.
func (s *S) Get() int {
	<-s.out
	return s.n // NORACE
}
