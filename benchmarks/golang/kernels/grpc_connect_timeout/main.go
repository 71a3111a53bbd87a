// In the manner of grpc #1748: a test changes the package's least time for connecting after connections have begun to be made.
package main

import (
	"sync"
	"time"
)

var minTimeout = 20 * time.Second

type addrConn struct {
	mu    sync.Mutex
	state int
}

func (ac *addrConn) resetTransport() {
	timeout := minTimeout // RACE!
	ac.mu.Lock()
	if timeout > 0 {
		ac.state = 1 // NORACE
	}
	ac.mu.Unlock()
}

func main() {
	ac := new(addrConn)
	done := make(chan bool)
	go func() {
		ac.resetTransport()
		close(done)
	}()
	minTimeout = time.Second // RACE!
	<-done
}
