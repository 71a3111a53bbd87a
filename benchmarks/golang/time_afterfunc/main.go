// A timer's function runs in its own goroutine.
package main

import "time"

var n int

func main() {
	time.AfterFunc(time.Millisecond, func() {
		n++ // RACE!
	})
	n++ // RACE!
	time.Sleep(time.Second)
}
