// Package sends is a library. Its goroutine is not the only one that sends.
package sends

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
	s.n++ // RACE!
	s.Push(1)
}

// Push sends.
func (s *S) Push(v int) { s.out <- v }

// Get waits.
func (s *S) Get() int {
	<-s.out
	return s.n // RACE!
}
