// WaitGroup.Go starts and counts.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	x, y := 0, 0
	wg.Go(func() { x = 1 }) // NORACE
	wg.Go(func() { y = 2 }) // NORACE
	wg.Wait()
	fmt.Println(x + y) // NORACE
}
