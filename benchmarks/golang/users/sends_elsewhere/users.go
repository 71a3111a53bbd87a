// Package sends_elsewhere is a library. Its users send to a channel that they get.
package sends_elsewhere

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
	s.n++ // RACE!
	s.out <- 1
}

// Chan is where users may send, too.
func (s *S) Chan() chan<- int { return s.out }

// Get waits.
func (s *S) Get() int {
	<-s.out
	return s.n // RACE!
}
