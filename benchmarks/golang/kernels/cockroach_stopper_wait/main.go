// In the manner of cockroach #4407: tasks are added to the WaitGroup of a stopper by other goroutines while it is being waited for, which may
// then end too early. No memory is shared wrongly.
package main

import (
	"sync"
	"time"
)

type stopper struct {
	drain sync.WaitGroup
}

func (s *stopper) task() {
	s.drain.Add(1) // RACE! WARN: waitgroup-add
	time.Sleep(time.Millisecond)
	s.drain.Done()
}

func main() {
	s := new(stopper)
	done := make(chan bool)
	go func() {
		s.task()
		close(done)
	}()
	s.drain.Wait() // RACE!
	<-done
}
