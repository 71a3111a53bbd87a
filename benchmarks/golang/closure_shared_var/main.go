// The closures share one variable declared outside of the loop.
package main

import "time"

func main() {
	var i int
	for i = 0; i < 3; i++ { // RACE!
		go func() {
			println(i) // RACE!
		}()
	}
	time.Sleep(time.Millisecond)
}
