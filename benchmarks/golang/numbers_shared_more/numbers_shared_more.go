// More of numbers_shared: workers have elements in common all the same.
package main

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

func main() {
	channels(2)
	starter(2)
	rounds(2)
	sub(2)
	bytes(2)
	again(2)
	down(2)
	stage(nil, 2)
}
