// In the manner of istio #8967: Stop closes the channel that ends the goroutine and sets the field to nil, which the goroutine reads in
// each round.
package main

import "time"

type source struct {
	done   chan bool
	events chan int
}

func (s *source) start() {
	go func() {
		for {
			select {
			case <-s.done: // RACE!
				return
			case <-s.events:
			}
		}
	}()
}

func (s *source) stop() {
	close(s.done) // NORACE
	s.done = nil  // RACE!
}

func main() {
	s := &source{done: make(chan bool), events: make(chan int)}
	s.start()
	s.events <- 1
	s.stop()
	time.Sleep(time.Millisecond)
}
