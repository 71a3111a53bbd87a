// Receiving in a select statement.
package main

import "time"

var result int

func main() {
	done := make(chan struct{})
	go func() {
		result = 7 // RACE!
		close(done)
	}()
	select {
	case <-done:
		println(result) // NORACE
	case <-time.After(time.Second):
		println(result) // RACE!
	}
}
