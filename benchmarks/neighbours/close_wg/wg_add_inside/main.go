// WANT: verify | racy | Add in the goroutine itself, beside Wait
package main

import (
	"sync"
	"time"
)

func main() {
	for range 50 {
		var wg sync.WaitGroup
		for range 3 {
			go func() {
				wg.Add(1) // RACE!
				defer wg.Done()
				time.Sleep(time.Millisecond)
			}()
		}
		time.Sleep(100 * time.Microsecond)
		wg.Wait() // RACE!
	}
}
