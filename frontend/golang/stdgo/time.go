package stdgo

import (
	"sync"
	"time"
	"unsafe"
)

// timer is what a *time.Timer points to. It may fire at any time; each start has a
// number, so that a goroutine knows whether it is the last one.
type timer struct {
	time.Timer
	mu      sync.Mutex
	started int // the number of the start that is to fire; 0: none
	starts  int
	c       chan time.Time
	f       func()
}

func of(t *time.Timer) *timer { return (*timer)(unsafe.Pointer(t)) }

// start is called with the lock held.
func (t *timer) start() {
	t.starts++
	t.started = t.starts
	go t.fire(t.started)
}

func (t *timer) fire(n int) {
	t.mu.Lock()
	if t.started != n {
		t.mu.Unlock()
		return
	}
	t.started = 0
	if t.f == nil {
		select {
		case t.c <- time.Now():
		default:
		}
	}
	t.mu.Unlock()
	if t.f != nil {
		t.f()
	}
}

// asyncTimers: the program's module is of a Go before 1.23. The front end sets it.
const asyncTimers = false

// stop is called with the lock held. As of Go 1.23, what was sent and not received is
// gone, and counts as not fired.
func (t *timer) stop() bool {
	was := t.started != 0
	t.started = 0
	if t.f == nil && !asyncTimers {
		select {
		case <-t.c:
			was = true
		default:
		}
	}
	return was
}

//whoop:for time.NewTimer
//whoop:assume timer: a timer may fire at any time
func newTimer(d time.Duration) *time.Timer {
	t := &timer{c: make(chan time.Time, 1)}
	t.C = t.c
	t.mu.Lock()
	t.start()
	t.mu.Unlock()
	return &t.Timer
}

//whoop:for time.AfterFunc
//whoop:assume timer: a timer may fire at any time
func afterTime(d time.Duration, f func()) *time.Timer {
	t := &timer{f: f}
	t.mu.Lock()
	t.start()
	t.mu.Unlock()
	return &t.Timer
}

//whoop:for (*time.Timer).Stop
func stop(p *time.Timer) bool {
	t := of(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stop()
}

//whoop:for (*time.Timer).Reset
func reset(p *time.Timer, d time.Duration) bool {
	t := of(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.stop()
	t.start()
	return was
}

// ticker is what a *time.Ticker points to.
type ticker struct {
	time.Ticker
	mu      sync.Mutex
	stopped bool
	c       chan time.Time
}

func tickerOf(t *time.Ticker) *ticker { return (*ticker)(unsafe.Pointer(t)) }

func (t *ticker) run() {
	for {
		t.mu.Lock()
		if t.stopped {
			t.mu.Unlock()
			return
		}
		select {
		case t.c <- time.Now():
		default:
		}
		t.mu.Unlock()
	}
}

//whoop:for time.NewTicker
//whoop:assume timer: a ticker may tick at any time
func newTicker(d time.Duration) *time.Ticker {
	t := &ticker{c: make(chan time.Time, 1)}
	t.C = t.c
	go t.run()
	return &t.Ticker
}

//whoop:for time.Tick
//whoop:assume timer: a ticker may tick at any time
func tick(d time.Duration) <-chan time.Time { return newTicker(d).C }

//whoop:for (*time.Ticker).Stop
func stopTicker(p *time.Ticker) {
	t := tickerOf(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	if !asyncTimers {
		select {
		case <-t.c:
		default:
		}
	}
}

//whoop:for (*time.Ticker).Reset
func resetTicker(p *time.Ticker, d time.Duration) {
	t := tickerOf(p)
	t.mu.Lock()
	was := t.stopped
	t.stopped = false
	t.mu.Unlock()
	if was {
		go t.run()
	}
}
