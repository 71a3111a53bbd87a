// WANT: verify | race-free | quit is closed first, the producer itself closes the channel
// in a defer
package main

import "fmt"

func produce(quit <-chan struct{}) <-chan int {
	out := make(chan int, 4)
	go func() {
		defer close(out) // NORACE
		for i := 0; ; i++ {
			select {
			case out <- i: // NORACE
			case <-quit:
				return
			}
		}
	}()
	return out
}

func main() {
	quit := make(chan struct{})
	sum := 0
	for v := range produce(quit) {
		sum += v
		if v == 10 {
			close(quit)
		}
		if v > 10 {
			break
		}
	}
	fmt.Println(sum)
}
