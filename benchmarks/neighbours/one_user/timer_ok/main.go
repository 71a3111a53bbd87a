// WANT: verify | race-free | Reset and Stop of one timer by several goroutines are safe;
// the expiry is counted atomically
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var fired atomic.Int32
	t := time.AfterFunc(time.Hour, func() { fired.Add(1) })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			t.Reset(time.Millisecond) // NORACE
			t.Stop()                  // NORACE
		})
	}
	wg.Wait()
	fmt.Println(fired.Load() <= 4)
}
