// Two slices share a backing array.
package main

import "time"

func fill(s []byte) {
	for i := range s {
		s[i] = 1 // RACE!
	}
}

func main() {
	buf := make([]byte, 16)
	go fill(buf[:8])
	go fill(buf[4:])
	time.Sleep(time.Millisecond)
}
