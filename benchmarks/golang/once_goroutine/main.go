// Goroutines that a sync.Once starts: one where there is one Once, but several where there are several, or it is made anew.
package main

import (
	"sync"
	"time"
)

var alone, shared, again int

var first, renewed sync.Once

func one() {
	first.Do(func() { go func() { alone++ }() }) // NORACE
}

type worker struct{ start sync.Once }

func (w *worker) run() {
	w.start.Do(func() { go add() })
}

func add() {
	shared++ // RACE!
}

func twice() {
	renewed.Do(func() { go func() { again++ }() }) // RACE!
	renewed = sync.Once{}
	renewed.Do(func() {})
}

func main() {
	go one()
	one()
	for range 2 {
		new(worker).run()
		twice()
	}
	time.Sleep(time.Millisecond)
}
