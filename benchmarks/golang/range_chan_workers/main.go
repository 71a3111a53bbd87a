// A pool of workers: results under a lock, jobs through a channel.
package main

import "sync"

type result struct {
	mu  sync.Mutex
	sum int
}

func main() {
	jobs := make(chan int)
	var wg sync.WaitGroup
	var r result
	done := 0
	for w := 0; w < 3; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				r.mu.Lock()
				r.sum += j // NORACE
				r.mu.Unlock()
				done++ // RACE!
			}
		}()
	}
	for i := 0; i < 9; i++ {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	println(r.sum, done) // NORACE
}
