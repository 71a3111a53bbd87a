// WANT: verify | racy | both pumps of a connection close the done channel when they end
package main

import (
	"errors"
	"sync"
	"time"
)

type pipe struct {
	done chan struct{}
	data chan []byte
}

func (p *pipe) shut() {
	defer func() { _ = recover() }()
	select {
	case <-p.done:
	default:
		p.flush()
		close(p.done) // RACE!
	}
}

func (p *pipe) flush() { time.Sleep(10 * time.Microsecond) }

func (p *pipe) pump(f func() error) {
	defer p.shut()
	for f() == nil {
	}
}

func main() {
	end := errors.New("end")
	for range 200 {
		p := &pipe{done: make(chan struct{}), data: make(chan []byte)}
		var wg sync.WaitGroup
		wg.Go(func() { p.pump(func() error { return end }) })
		wg.Go(func() { p.pump(func() error { return end }) })
		<-p.done
		wg.Wait()
	}
}
