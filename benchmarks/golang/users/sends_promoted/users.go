// Package sends_promoted is a library. Its users send by a method that is promoted.
package sends_promoted

import "sync"

// Base is a part of others.
type Base struct {
	out chan int
	n   int
}

// Push sends.
func (b *Base) Push(v int) { b.out <- v }

// S is for concurrent use.
type S struct {
	mu sync.Mutex
	Base
}

// New makes one.
func New() *S {
	s := &S{Base: Base{out: make(chan int)}}
	go s.loop()
	return s
}

func (s *S) loop() {
	s.n++ // RACE!
	s.Push(1)
}

// Get waits.
func (s *S) Get() int {
	<-s.out
	return s.n // RACE!
}
