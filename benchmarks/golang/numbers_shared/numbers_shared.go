// Workers get numbers through a channel, and have elements in common all the same.
package main

import "sync"

// twice: the numbers are sent in two rounds.
func twice(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	for range 2 {
		for i := 0; i < n; i++ {
			jobs <- i
		}
	}
	close(jobs)
	wg.Wait()
	return out
}

// two goroutines send the same numbers.
func two(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for i := 0; i < n; i++ {
				jobs <- i
			}
		}()
	}
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	return nil
}

// first: a number is sent before the loop, too.
func first(n int) []int {
	out := make([]int, n)
	jobs := make(chan int, 1)
	jobs <- 0
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	return nil
}

// other elements than the one with the number.
func other(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i/2]++ // RACE!
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	return nil
}

// neighbours: also the next one.
func neighbours(n int) []int {
	out := make([]int, n+1)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i] = 1   // RACE!
				out[i+1] = 2 // RACE!
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	return nil
}

// closed: who receives from a closed channel gets 0.
func closed(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for range n {
				i := <-jobs
				out[i]++ // RACE!
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	close(jobs)
	return nil
}

// unheeded: whether there was a number is not looked at.
func unheeded(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for range n {
				i, ok := <-jobs
				out[i]++ // RACE!
				if !ok {
					return
				}
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	close(jobs)
	return nil
}

// either: two cases of one select statement send to the channel.
func either(n int) {
	out := make([]int, n+1)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	for i := 0; i < n; i++ {
		select {
		case jobs <- i:
		case jobs <- i + 1:
		}
	}
}

func main() {
	either(2)
	twice(2)
	two(2)
	first(2)
	other(2)
	neighbours(2)
	closed(2)
	unheeded(2)
}
