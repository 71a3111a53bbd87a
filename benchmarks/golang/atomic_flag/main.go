// An atomic flag that is set once orders what was done before and after.
package main

import "sync/atomic"

var ready atomic.Bool
var data int

func main() {
	go func() {
		data = 1          // NORACE
		ready.Store(true) // NORACE
	}()
	for !ready.Load() { // NORACE
	}
	println(data) // NORACE
}
