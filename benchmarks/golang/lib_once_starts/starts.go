// Package starts has objects that start a goroutine by their Once when they are first used:
// what the Once's function did before comes before the goroutine.
package starts

import "sync"

// Logger writes in a goroutine of its own.
type Logger struct {
	once sync.Once
	ch   chan int
	m    map[string]int
	n    int
}

func (l *Logger) run() {
	l.n++                 // NORACE
	for i := range l.ch { // NORACE
		l.m["a"] += i // NORACE
	}
}

// Write wakes it.
func (l *Logger) Write(n int) {
	l.once.Do(func() {
		l.ch = make(chan int, 1) // NORACE
		l.m = map[string]int{}   // NORACE
		l.n = 1                  // NORACE
		go l.run()
	})
	l.ch <- n // NORACE
}

// Ticker starts its goroutine two calls down.
type Ticker struct {
	state struct {
		first sync.Once
		n     int
	}
	mu   sync.Mutex
	seen int
}

func (t *Ticker) loop(k int) {
	t.state.n += k // NORACE
	t.mu.Lock()
	t.seen = t.state.n // NORACE
	t.mu.Unlock()
}

func (t *Ticker) start(k int) {
	t.state.n = k // NORACE
	if k > 0 {
		go t.loop(k)
	}
}

// Tick starts it.
func (t *Ticker) Tick(k int) int {
	t.state.first.Do(func() { t.start(k) })
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen // NORACE
}
