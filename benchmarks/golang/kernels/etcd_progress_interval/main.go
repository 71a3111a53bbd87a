// In the manner of etcd #4876: a package's variable sets how often a watch stream reports. A test sets it back when it is done, while
// the streams' goroutines still read it.
package main

import "time"

var interval = 10 * time.Millisecond

type stream struct{ events chan int }

func (s *stream) sendLoop() {
	t := time.NewTicker(interval) // RACE!
	defer t.Stop()
	for {
		select {
		case _, ok := <-s.events:
			if !ok {
				return
			}
		case <-t.C:
		}
	}
}

func watch() *stream {
	s := &stream{events: make(chan int)}
	go s.sendLoop()
	return s
}

func main() {
	old := interval
	interval = time.Millisecond // NORACE
	s := watch()
	interval = old // RACE!
	s.events <- 1
	close(s.events)
}
