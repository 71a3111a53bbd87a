// A channel may be closed twice. Whoever panics recovers.
package main

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

func quiet() { recover() }

func plain() {
	ch := make(chan bool)
	go func() { defer quiet(); close(ch) }() // RACE!
	func() { defer quiet(); close(ch) }()    // RACE!
}

// loop starts goroutines that close one channel.
func loop() {
	ch := make(chan bool)
	for i := 0; i < 2; i++ {
		go func() { defer quiet(); close(ch) }() // RACE!
	}
}

type server struct {
	mu     sync.Mutex
	closed bool
	quit   chan bool
	flag   atomic.Bool
	once   [2]sync.Once
}

// stop tests the flag and sets it in two critical sections.
func (s *server) stop() {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.quit) // RACE!
}

func tested() {
	s := &server{quit: make(chan bool)}
	go func() { defer quiet(); s.stop() }()
	func() { defer quiet(); s.stop() }()
}

// end does not test the flag at all.
func (s *server) end() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.quit) // RACE!
}

func untested() {
	s := &server{quit: make(chan bool)}
	go func() { defer quiet(); s.end() }()
	func() { defer quiet(); s.end() }()
}

// halt loads and stores.
func (s *server) halt() {
	if !s.flag.Load() {
		s.flag.Store(true)
		close(s.quit) // RACE!
	}
}

func loaded() {
	s := &server{quit: make(chan bool)}
	go func() { defer quiet(); s.halt() }()
	func() { defer quiet(); s.halt() }()
}

// shut looks whether the channel is closed.
func (s *server) shut() {
	select {
	case <-s.quit:
	default:
		close(s.quit) // RACE!
	}
}

func looked() {
	s := &server{quit: make(chan bool)}
	go func() { defer quiet(); s.shut() }()
	func() { defer quiet(); s.shut() }()
}

// twoOnces has a Once for each side.
func twoOnces() {
	s := &server{quit: make(chan bool)}
	go func() {
		defer quiet()
		s.once[0].Do(func() { close(s.quit) }) // RACE!
	}()
	func() { defer quiet(); s.once[1].Do(func() { close(s.quit) }) }() // RACE!
}

// unset sets the flag back.
func (s *server) again() {
	if s.flag.CompareAndSwap(false, true) {
		close(s.quit) // RACE!
	}
	s.flag.Store(false)
}

func unset() {
	s := &server{quit: make(chan bool)}
	go func() { defer quiet(); s.again() }()
	func() { defer quiet(); s.again() }()
}

// shared holds the lock for reading only.
func shared() {
	var mu sync.RWMutex
	ch := make(chan bool)
	go func() {
		defer quiet()
		mu.RLock()
		defer mu.RUnlock()
		close(ch) // RACE!
	}()
	func() {
		defer quiet()
		mu.RLock()
		defer mu.RUnlock()
		close(ch) // RACE!
	}()
}

// mapped takes channels out of a map under a lock, and closes them without.
func mapped() {
	var mu sync.Mutex
	subs := map[int]chan bool{1: make(chan bool)}
	drop := func() {
		mu.Lock()
		ch := subs[1]
		mu.Unlock()
		close(ch) // RACE!
	}
	go func() { defer quiet(); drop() }()
	func() { defer quiet(); drop() }()
}

// shutdown is called twice, and starts the function each time.
func shutdown() {
	s, ch := &http.Server{}, make(chan bool)
	s.RegisterOnShutdown(func() {
		defer quiet()
		close(ch) // RACE!
	})
	_ = s.Shutdown(context.Background())
	_ = s.Shutdown(context.Background())
}

func main() {
	plain()
	loop()
	tested()
	untested()
	loaded()
	looked()
	twoOnces()
	unset()
	shared()
	mapped()
	shutdown()
	time.Sleep(10 * time.Millisecond)
}
