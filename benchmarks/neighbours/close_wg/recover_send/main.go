// WANT: verify | racy | the sender recovers from the panic: Go's detector reports the
// send beside close all the same
package main

import (
	"fmt"
	"time"
)

func trySend(ch chan int, v int) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	ch <- v // RACE!
	return true
}

func main() {
	ch := make(chan int, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 50 {
			if !trySend(ch, i) {
				return
			}
			time.Sleep(100 * time.Microsecond)
		}
	}()
	time.Sleep(2 * time.Millisecond)
	close(ch) // RACE!
	<-done
	fmt.Println(len(ch))
}
