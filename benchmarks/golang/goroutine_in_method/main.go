// A background goroutine of an object.
package main

import (
	"sync"
	"time"
)

type poller struct {
	mu   sync.Mutex
	last time.Time
	runs int
}

func (p *poller) start() {
	go func() {
		for {
			p.mu.Lock()
			p.last = time.Now() // NORACE
			p.mu.Unlock()
			p.runs++ // RACE!
		}
	}()
}

func (p *poller) status() (time.Time, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last, p.runs // RACE!
}

func main() {
	p := &poller{}
	p.start()
	p.status()
}
