// A log with two buffers: a flush exchanges them and counts what it writes out without the lock. Two flushes that cross exchange twice, so
// that the log is filled again with the buffer that the first still reads. The ticker and the explicit flush are milliseconds apart.
package main

import (
	"sync"
	"time"
)

type buffer struct{ bytes int }

type logger struct {
	mu         sync.Mutex
	cur, spare *buffer
	out        int
}

func (l *logger) log(n int) {
	l.mu.Lock()
	l.cur.bytes += n // RACE!
	l.mu.Unlock()
}

func (l *logger) flush() {
	l.mu.Lock()
	b := l.cur                  // NORACE
	l.cur, l.spare = l.spare, b // NORACE
	l.mu.Unlock()
	n := b.bytes // RACE!
	b.bytes = 0  // RACE!
	l.mu.Lock()
	l.out += n // NORACE
	l.mu.Unlock()
}

func main() {
	l := &logger{cur: new(buffer), spare: new(buffer)}
	l.log(10) // NORACE
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l.flush()
	}()
	time.Sleep(5 * time.Millisecond)
	l.flush()
	l.log(20)
	wg.Wait()
	println(l.out) // NORACE
}
