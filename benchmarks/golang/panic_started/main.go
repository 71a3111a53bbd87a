// What a function has done before it panics counts where a function above it recovers.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

var direct, once, printed, flagged, ended, kept int

var mu sync.Mutex

// start starts a goroutine and panics.
func start() {
	go func() { direct++ }() // RACE!
	panic("start")
}

func recovered() {
	defer func() { recover() }()
	start()
}

var first = &sync.Once{}

func begin() {
	go func() { once++ }() // RACE!
	panic("begin")
}

func recoveredOnce() {
	defer func() { recover() }()
	first.Do(begin)
}

// text is printed by package fmt, which recovers.
type text struct{ bad bool }

func (t text) String() string {
	if t.bad {
		go func() { printed++ }() // RACE!
		panic("text")
	}
	return "good"
}

// note leaves something behind for who has called it.
func note(bad *bool) {
	*bad = true
	panic("note")
}

func noted(bad *bool) {
	defer func() { recover() }()
	note(bad)
}

func check() {
	bad := false
	noted(&bad)
	if bad {
		flagged++ // RACE!
	}
}

// leave ends the goroutine; what it has deferred runs before.
func leave(done chan bool) {
	defer func() {
		ended++ // RACE!
		done <- true
	}()
	func() {
		go func() { ended++ }() // RACE!
		runtime.Goexit()
	}()
}

// keep has the lock when it panics, and gives it back.
func keep() {
	mu.Lock()
	defer mu.Unlock()
	kept++ // NORACE
	if kept > 1 {
		panic("keep")
	}
}

func locked() {
	defer func() {
		recover()
		mu.Lock()
		kept++ // NORACE
		mu.Unlock()
	}()
	keep()
}

func main() {
	recovered()
	direct++ // RACE!
	recoveredOnce()
	once++ // RACE!
	println(len(fmt.Sprint(text{true})))
	printed++ // RACE!
	done := make(chan bool)
	go func() { check(); done <- true }()
	check()
	<-done
	go leave(done)
	<-done
	go func() { locked(); done <- true }()
	locked()
	<-done
	time.Sleep(time.Millisecond)
}
