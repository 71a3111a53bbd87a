// Atomic updates do not race with each other.
package main

import (
	"fmt"
	"sync/atomic"
)

var n atomic.Int64
var old int32

func main() {
	for i := 0; i < 3; i++ {
		go func() {
			n.Add(1)                 // NORACE
			atomic.AddInt32(&old, 1) // NORACE
		}()
	}
	fmt.Println(n.Load(), atomic.LoadInt32(&old)) // NORACE
}
