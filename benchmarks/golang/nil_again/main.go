// A member that only ever holds the address of one object, or nil: what is done where it is nil is done.
package main

import "sync"

type store struct {
	mu sync.Mutex
	n  int
}

type session struct{ s *store }

var late, lateAgain, refused int

// end uses the session's store once; afterwards the session is closed.
func (t *session) end() {
	if t.s == nil {
		late++ // RACE!
		return
	}
	t.s.mu.Lock()
	t.s.n++ // NORACE
	t.s.mu.Unlock()
	t.s = nil
}

// check has the store handed on as an argument and in an interface.
func check(s *store, v any) {
	if s == nil {
		lateAgain++ // RACE!
	}
	if v.(*store) == nil {
		refused++ // RACE!
	}
}

func main() {
	s := &store{}
	for range 2 {
		go func() {
			t := &session{s: s}
			t.end()
			t.end()
			check(t.s, t.s)
		}()
	}
}
