// The goroutines that merge channels write to one array without a lock. That another goroutine waits for them and closes the merged channel, for which the caller waits, orders them with the
// caller, not with each other.
package main

import "sync"

var seen [4]int

func gen(from, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 0; i < n; i++ {
			out <- from + i
		}
	}()
	return out
}

func merge(cs ...<-chan int) <-chan int {
	var wg sync.WaitGroup
	out := make(chan int)
	forward := func(c <-chan int) {
		defer wg.Done()
		for n := range c {
			seen[n%4]++ // RACE!
			out <- n
		}
	}
	wg.Add(len(cs))
	for _, c := range cs {
		go forward(c)
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func main() {
	sum := 0
	for v := range merge(gen(0, 5), gen(2, 5)) {
		sum += v
	}
	println(sum)
}
