// Workers get the numbers of the elements that they work on through a channel: each number is sent once, so each element is one worker's.
package main

import (
	"fmt"
	"sync"
)

type result struct {
	name string
	size int
}

// closures are the usual workers; the starter sends.
func closures(xs []int, workers int) []int {
	out := make([]int, len(xs))
	jobs := make(chan int)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				out[i] = xs[i] * xs[i] // NORACE
			}
		}()
	}
	for i := range xs {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return out
}

// worker is a function of its own, with the results as a parameter.
func worker(names []string, jobs <-chan int, results []result, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		results[j].name = names[j] // NORACE
		results[j].size = len(names[j])
		results[j].size++ // NORACE
	}
}

func functions(names []string) []result {
	results := make([]result, len(names))
	jobs := make(chan int, 8)
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go worker(names, jobs, results, &wg)
	}
	for j := 0; j < len(names); j++ {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	return results
}

// feeder: a goroutine sends, from the second on, every second one; a parameter of the workers, which look whether they should stop.
func feeder(n int, quit chan struct{}) int {
	var squares [100]int
	next := make(chan int64)
	go func() {
		for k := int64(1); k < 100; k += 2 {
			next <- k
		}
		close(next)
	}()
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for {
				select {
				case k, ok := <-next:
					if !ok {
						return
					}
					squares[k] = int(k*k) + w // NORACE
				case <-quit:
					return
				}
			}
		})
	}
	wg.Wait()
	return squares[1]
}

// given: the channel is a parameter, the results are captured.
func given(xs []float64) []float64 {
	halves := make([]float64, len(xs))
	ch := make(chan int)
	done := make(chan bool)
	for w := 0; w < 3; w++ {
		go func(in <-chan int) {
			for i := range in {
				halve(halves, xs, i)
			}
			done <- true
		}(ch)
	}
	for i := range len(xs) {
		ch <- i
	}
	close(ch)
	for w := 0; w < 3; w++ {
		<-done
	}
	return nil
}

// stoppable: the sender looks whether it should stop, too.
func stoppable(xs []int, quit chan struct{}) {
	out := make([]int, len(xs))
	jobs := make(chan int)
	for range 2 {
		go func() {
			for i := range jobs {
				out[i] = xs[i] // NORACE
			}
		}()
	}
	defer close(jobs)
	for i := range xs {
		select {
		case jobs <- i:
		case <-quit:
			return
		}
	}
}

func halve(halves, xs []float64, i int) {
	halves[i] = xs[i] / 2 // NORACE
}

func main() {
	fmt.Println(closures([]int{1, 2, 3}, 2), functions([]string{"a", "b"}), feeder(2, make(chan struct{})), given(nil))
	stoppable([]int{1, 2}, nil)
}
