// Concurrent map writes.
package main

import "time"

func main() {
	m := map[int]string{}
	go func() {
		m[1] = "one" // RACE!
	}()
	m[2] = "two" // RACE!
	time.Sleep(time.Millisecond)
}
