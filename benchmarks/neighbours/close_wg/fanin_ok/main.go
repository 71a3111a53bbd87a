// WANT: verify | race-free | the channel is closed by a goroutine that has waited for all
// senders
package main

import (
	"fmt"
	"sync"
)

func merge(ins ...<-chan int) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v // NORACE
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out) // NORACE
	}()
	return out
}

func gen(n int) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c) // NORACE
		for i := range n {
			c <- i // NORACE
		}
	}()
	return c
}

func main() {
	sum := 0
	for v := range merge(gen(5), gen(6)) {
		sum += v
	}
	fmt.Println(sum)
}
