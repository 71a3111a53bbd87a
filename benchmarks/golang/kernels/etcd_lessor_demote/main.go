// In the manner of etcd's lessor: promotion and demotion exchange a channel under the lock, a third goroutine waits on the channel in
// the field without it.
package main

import (
	"sync"
	"time"
)

type lessor struct {
	mu      sync.Mutex
	demoted chan bool
}

func (l *lessor) promote() {
	l.mu.Lock()
	l.demoted = make(chan bool) // RACE!
	l.mu.Unlock()
}

func (l *lessor) demote() {
	l.mu.Lock()
	close(l.demoted) // NORACE
	l.mu.Unlock()
}

func (l *lessor) renew() bool {
	select {
	case <-l.demoted: // RACE!
		return false
	case <-time.After(5 * time.Millisecond):
		return true
	}
}

func main() {
	l := &lessor{demoted: make(chan bool)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		println(l.renew())
	}()
	l.promote()
	wg.Wait()
	l.demote()
}
