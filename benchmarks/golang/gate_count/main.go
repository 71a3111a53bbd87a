// The first one that adds goes on alone. Of the others that take their step back, one takes
// back too much.
package main

import "sync/atomic"

type server struct {
	users, guests atomic.Int32
	runs, saved   int
}

func (s *server) run() {
	if s.users.Add(1) == 1 {
		s.runs++ // NORACE
	}
	s.users.Add(-1)
}

func (s *server) save() {
	if s.guests.Add(1) == 1 {
		s.saved++ // RACE!
		s.guests.Add(-1)
	}
	s.guests.Add(-1)
}

func main() {
	s := &server{}
	for range 3 {
		go s.run()
		go s.save()
	}
}
