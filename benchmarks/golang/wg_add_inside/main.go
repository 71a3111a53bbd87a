// Add inside the goroutine: Wait may return before any worker has begun.
package main

import (
	"fmt"
	"sync"
)

var result int

func main() {
	var wg sync.WaitGroup
	go func() {
		wg.Add(1) // RACE! WARN: waitgroup-add
		defer wg.Done()
		result = 42 // RACE!
	}()
	wg.Wait()           // RACE!
	fmt.Println(result) // RACE!
}
