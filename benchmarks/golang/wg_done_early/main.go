// Done is called before the write.
package main

import (
	"fmt"
	"sync"
)

var result int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		result = 42 // RACE!
	}()
	wg.Wait()
	fmt.Println(result) // RACE!
}
