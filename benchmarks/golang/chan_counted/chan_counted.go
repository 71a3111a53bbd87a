// As many receives as goroutines that send once: what they did comes before what follows.
package main

import "sync"

var loops, ranges, two, literal [8]int

func inLoops(n int) int {
	done := make(chan bool)
	for i := 0; i < n; i++ {
		go func() {
			loops[i] = i // NORACE
			done <- true
		}()
	}
	for i := 0; i < n; i++ {
		<-done
	}
	return loops[0] // NORACE
}

func inRanges(xs []int) int {
	errs := make(chan error, len(xs))
	for i, x := range xs {
		go func() { errs <- square(i, x) }()
	}
	for range xs {
		if err := <-errs; err != nil {
			println(err.Error())
		}
	}
	ranges[0]++ // NORACE
	return ranges[1]
}

func square(i, x int) error {
	ranges[i] = x * x // NORACE
	return nil
}

func oneByOne() int {
	left, right := make(chan int), make(chan struct{})
	go func() {
		two[0] = 1 // NORACE
		left <- 1
	}()
	go func() {
		two[1] = 2 // NORACE
		right <- struct{}{}
	}()
	<-left
	<-right
	both := make(chan struct{}, 2)
	go func() {
		literal[0] = 1 // NORACE
		both <- struct{}{}
	}()
	go func() {
		literal[1] = 2 // NORACE
		both <- struct{}{}
	}()
	<-both
	<-both
	return two[0] + two[1] + literal[0] + literal[1] // NORACE
}

var counted, constant [4]int

func group() int {
	var wg sync.WaitGroup
	wg.Add(len(counted))
	for i := 0; i < len(counted); i++ {
		go func() {
			defer wg.Done()
			counted[i] = i // NORACE
		}()
	}
	wg.Wait()
	sum := counted[0] // NORACE
	done := make(chan int)
	for i := range 4 {
		go func() {
			constant[i] = i // NORACE
			done <- i
		}()
	}
	for range 4 {
		<-done
	}
	return sum + constant[1] // NORACE
}

var checked [4]int

func panics(n int) int {
	errs := make(chan error)
	for i := range n {
		go func() {
			checked[i] = i // NORACE
			errs <- nil
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			panic(err)
		}
	}
	return checked[1] // NORACE
}

func main() {
	println(panics(4))
	println(inLoops(4), inRanges([]int{1, 2, 3, 4}), oneByOne(), group())
}
