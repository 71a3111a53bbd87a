// A timer that is started again may run its function twice at once.
package main

import "time"

var n int

func main() {
	t := time.AfterFunc(time.Millisecond, func() {
		n++ // RACE!
	})
	t.Reset(time.Millisecond)
	time.Sleep(time.Second)
}
