// The server's address is known when it listens. Who needs it waits for that, but not longer than two seconds, and then reads it anyway.
package main

import "time"

type server struct {
	ready chan bool
	addr  string
}

func (s *server) listen() {
	time.Sleep(time.Millisecond)
	s.addr = "127.0.0.1:80" // RACE!
	close(s.ready)
}

func (s *server) address() string {
	select {
	case <-s.ready:
	case <-time.After(2 * time.Second):
	}
	return s.addr // RACE!
}

func main() {
	s := &server{ready: make(chan bool)}
	go s.listen()
	println(s.address())
}
