// Calling a method that is promoted through an embedded pointer reads that pointer, and no other field.
package main

import "sync"

type lock struct{ sync.Mutex }

type state struct {
	*lock
	n int
}

func main() {
	s := state{lock: &lock{}}
	done := make(chan bool)
	go func() {
		s.n++
		s.Lock()
		s.Unlock()
		close(done)
	}()
	s.Lock()
	s.Unlock()
	<-done
	s.n++
}
