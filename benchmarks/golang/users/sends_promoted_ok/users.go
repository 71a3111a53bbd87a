// Package sends_promoted_ok is a library. Its goroutine alone sends.
package sends_promoted_ok

import "sync"

// Base is a part of others.
type Base struct {
	out chan int
	n   int
}

// push sends.
func (b *Base) push(v int) { b.out <- v }

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
	s.n++ // NORACE
	s.push(1)
}

// Get waits.
func (s *S) Get() int {
	<-s.out
	return s.n // NORACE
}
