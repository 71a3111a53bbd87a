// WANT: verify | racy | the first worker that is done closes the channel that all send on
package main

import (
	"fmt"
	"sync/atomic"
)

func worker(id int, left *atomic.Int32, out chan<- string) {
	defer func() { _ = recover() }()
	if left.Add(-1) == 0 {
		close(out) // RACE!
		return
	}
	out <- fmt.Sprint("worker ", id) // RACE!
}

func main() {
	for range 100 {
		out := make(chan string, 4)
		var left atomic.Int32
		left.Store(4)
		for i := range 4 {
			go worker(i, &left, out)
		}
		for s := range out {
			_ = s
		}
	}
}
