// A worker that is started at first use. Whether it runs is asked in one critical section and noted in another: two first uses that
// cross start two workers, which share the worker's buffer. One user comes milliseconds after the other.
package main

import (
	"sync"
	"time"
)

type logger struct {
	mu      sync.Mutex
	running bool
	lines   chan string
	written int
}

func (l *logger) log(s string) {
	l.mu.Lock()
	running := l.running // NORACE
	l.mu.Unlock()
	if !running {
		go l.work()
		l.mu.Lock()
		l.running = true // NORACE
		l.mu.Unlock()
	}
	l.lines <- s
}

func (l *logger) work() {
	for s := range l.lines {
		l.written += len(s) // RACE!
	}
}

func main() {
	l := &logger{lines: make(chan string)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l.log("one")
	}()
	time.Sleep(5 * time.Millisecond)
	l.log("two")
	wg.Wait()
}
