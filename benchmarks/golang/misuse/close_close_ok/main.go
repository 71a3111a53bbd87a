// Each channel is closed once.
package main

import (
	"sync"
	"sync/atomic"
)

func plain() {
	ch := make(chan bool)
	go func() { close(ch) }() // NORACE
	<-ch
}

func loop() {
	for i := 0; i < 2; i++ {
		ch := make(chan bool)
		go func() { close(ch) }() // NORACE
		<-ch
	}
}

type server struct {
	mu     sync.Mutex
	closed bool
	quit   chan bool
	flag   atomic.Bool
	old    int32
	once   sync.Once
}

func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.quit) // NORACE
}

// end closes after its critical section.
func (s *server) end() {
	s.mu.Lock()
	was := s.closed
	if was {
		s.mu.Unlock()
		return
	}
	s.closed = true
	s.mu.Unlock()
	close(s.quit) // NORACE
}

func (s *server) halt() {
	if s.flag.CompareAndSwap(false, true) {
		close(s.quit) // NORACE
	}
}

func (s *server) swap() {
	if s.flag.Swap(true) {
		return
	}
	close(s.quit) // NORACE
}

func (s *server) exchange() {
	if !atomic.CompareAndSwapInt32(&s.old, 0, 1) {
		return
	}
	close(s.quit) // NORACE
}

// shut looks whether the channel is closed, under the lock.
func (s *server) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.quit:
	default:
		close(s.quit) // NORACE
	}
}

func (s *server) onceOnly() {
	s.once.Do(func() { close(s.quit) }) // NORACE
}

// both runs a method twice at once, on a server of its own.
func both(stop func(s *server)) {
	s := &server{quit: make(chan bool)}
	done := make(chan bool)
	go func() {
		stop(s)
		close(done) // NORACE
	}()
	stop(s)
	<-done
}

func twice() {
	s := &server{quit: make(chan bool)}
	go s.stop()
	s.stop()
	e := &server{quit: make(chan bool)}
	go e.end()
	e.end()
	h := &server{quit: make(chan bool)}
	go h.halt()
	h.halt()
	w := &server{quit: make(chan bool)}
	go w.exchange()
	w.exchange()
	u := &server{quit: make(chan bool)}
	go u.shut()
	u.shut()
	o := &server{quit: make(chan bool)}
	go o.onceOnly()
	o.onceOnly()
}

// afterwards closes when the other goroutine is over, which may have closed.
func afterwards(first bool) {
	ch, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done) // NORACE
		if first {
			close(ch) // NORACE
		}
	}()
	<-done
	if !first {
		close(ch) // NORACE
	}
}

func main() {
	plain()
	loop()
	twice()
	both((*server).swap)
	afterwards(true)
	afterwards(false)
}
