// Objects of a sync.Pool that are used when they are back in the pool.
package main

import "sync"

type late struct{ n int }

var lates = sync.Pool{New: func() any { return new(late) }}

// after: it is used after it was put back.
func after() {
	l := lates.Get().(*late)
	l.n++ // RACE!
	lates.Put(l)
	l.n = 0 // RACE!
}

type double struct{ n int }

var doubles = sync.Pool{New: func() any { return new(double) }}

// twice: it is put back twice.
func twice() {
	d := doubles.Get().(*double)
	defer doubles.Put(d)
	d.n++        // RACE!
	if d.n > 3 { // RACE!
		doubles.Put(d)
	}
}

type deferred struct{ n int }

var deferreds = sync.Pool{New: func() any { return new(deferred) }}

// returned: it is put back by a defer statement, and goes on living.
func returned() *deferred {
	d := deferreds.Get().(*deferred)
	defer deferreds.Put(d)
	return d
}

func useReturned() {
	returned().n++ // RACE!
}

func main() {
	for range 3 {
		go after()
		go twice()
		go useReturned()
	}
	after()
}
