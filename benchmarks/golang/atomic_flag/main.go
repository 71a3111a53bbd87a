// A flag orders nothing for this analysis, but it is itself no race.
package main

import "sync/atomic"

var ready atomic.Bool
var data int

func main() {
	go func() {
		data = 1          // RACE: ordered by an atomic flag
		ready.Store(true) // NORACE
	}()
	for !ready.Load() { // NORACE
	}
	println(data) // RACE: ordered by an atomic flag
}
