// A plain read against an atomic write.
package main

import (
	"fmt"
	"sync/atomic"
)

var n int64

func main() {
	go atomic.AddInt64(&n, 1) // RACE!
	fmt.Println(n)            // RACE!
}
