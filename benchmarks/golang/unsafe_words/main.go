// A buffer is worked on word by word through addresses that are computed as integers; nobody calls it with more than nil on one path.
package main

import "unsafe"

func flip(b []byte) {
	n := len(b) / 8 * 8
	for i := 0; i < n; i += 8 {
		*(*uint64)(unsafe.Pointer(uintptr(unsafe.Pointer(&b[0])) + uintptr(i))) ^= 0xff // RACE!
	}
}

func never() { flip(nil) }

var shared = make([]byte, 64)

func main() {
	never()
	done := make(chan bool)
	go func() {
		flip(make([]byte, 64)) // its own
		flip(shared)
		done <- true
	}()
	flip(make([]byte, 16))
	flip(shared)
	<-done
}
