// Add counts one of two goroutines.
package main

import (
	"fmt"
	"sync"
)

var a, b int

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a = 1 // RACE!
	}()
	go func() {
		defer wg.Done()
		b = 1 // RACE!
	}()
	wg.Wait()
	fmt.Println(a) // RACE!
	fmt.Println(b) // RACE!
}
