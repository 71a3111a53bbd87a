// The logger of lazy_worker, repaired: a sync.Once starts the worker.
package main

import (
	"sync"
	"time"
)

type logger struct {
	start   sync.Once
	lines   chan string
	written int
}

func (l *logger) log(s string) {
	l.start.Do(func() { go l.work() })
	l.lines <- s
}

func (l *logger) work() {
	for s := range l.lines {
		l.written += len(s) // NORACE
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
