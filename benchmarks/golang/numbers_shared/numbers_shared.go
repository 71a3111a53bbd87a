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

// channels: two have the same numbers.
func channels(n int) []int {
	out := make([]int, n)
	odd, even := make(chan int), make(chan int)
	go func() {
		for i := range odd {
			out[i]++ // RACE!
		}
	}()
	go func() {
		for i := range even {
			out[i]++ // RACE!
		}
	}()
	go func() {
		for i := 0; i < n; i++ {
			odd <- i
		}
	}()
	for i := 0; i < n; i++ {
		even <- i
	}
	return nil
}

// starter accesses what it has sent.
func starter(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	go func() {
		for i := range jobs {
			out[i]++ // RACE!
		}
	}()
	for i := 0; i < n; i++ {
		jobs <- i
		out[i]++ // RACE!
	}
	return nil
}

// rounds: a channel for each, and one array.
func rounds(n int) []int {
	out := make([]int, n)
	for range 2 {
		jobs := make(chan int)
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
		for i := 0; i < n; i++ {
			jobs <- i
		}
		close(jobs)
	}
	return nil
}

// sub: the workers have slices that overlap.
func sub(n int) []int {
	out := make([]int, n)
	jobs := make(chan int)
	worker := func(part []int) {
		for i := range jobs {
			part[i]++ // RACE!
		}
	}
	go worker(out)
	go worker(out[1:])
	for i := 0; i < n; i++ {
		jobs <- i
	}
	return nil
}

// bytes come round.
func bytes(n int) []int {
	out := make([]int, 256)
	jobs := make(chan uint8)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	var b uint8
	for range n {
		jobs <- b
		b++
	}
	return nil
}

// again: a worker gives numbers back.
func again(n int) []int {
	out := make([]int, n)
	jobs := make(chan int, n)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++        // RACE!
				if out[i] < 2 { // RACE!
					jobs <- i
				}
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	return nil
}

// down and up: the counter goes back.
func down(n int) []int {
	out := make([]int, n)
	jobs := make(chan int, n)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	for i := 0; i < n; {
		jobs <- i
		if i%2 == 0 && n > 3 {
			i--
			n--
		} else {
			i++
		}
	}
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
	channels(2)
	starter(2)
	rounds(2)
	sub(2)
	bytes(2)
	again(2)
	down(2)
	stage(nil, 2)
}

// stage sends to the channel of the run that called it, as another call does.
func stage(prev chan int, depth int) {
	jobs := make(chan int)
	out := make([]int, 8)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i]++ // RACE!
			}
		}()
	}
	if depth > 0 {
		stage(jobs, depth-1)
		stage(jobs, depth-1)
	}
	if prev != nil {
		for i := 0; i < 8; i++ {
			prev <- i
		}
	}
}
