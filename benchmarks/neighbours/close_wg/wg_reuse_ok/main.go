// WANT: verify | race-free | one goroutine alone adds and waits, round by round
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	cells := make([]int, 8)
	for round := range 5 {
		for i := range cells {
			wg.Add(1) // NORACE
			go func() {
				defer wg.Done()
				cells[i] += round // NORACE
			}()
		}
		wg.Wait() // NORACE
	}
	fmt.Println(cells) // NORACE
}
