// Package numbers: workers that get numbers through a channel, in functions that several callers run at once.
package numbers

import "sync"

// Pool may be used by several goroutines at once.
type Pool struct {
	mu      sync.Mutex
	workers int
	last    []int
}

// Map makes the results itself. It is safe for concurrent use.
func (p *Pool) Map(xs []int, f func(int) int) []int {
	out := make([]int, len(xs))
	p.mu.Lock()
	workers := p.workers
	p.mu.Unlock()
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				out[i] = f(xs[i]) // NORACE
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

// Fill writes into what is everybody's. It is safe for concurrent use, says its author.
func (p *Pool) Fill(n int) {
	p.mu.Lock()
	if p.last == nil {
		p.last = make([]int, 100)
	}
	last := p.last
	p.mu.Unlock()
	jobs := make(chan int)
	go func() {
		for i := range jobs {
			last[i]++ // RACE!
		}
	}()
	for i := range n {
		jobs <- i
	}
	close(jobs)
}

// Sum hands the same array to a run of its own. It is safe for concurrent use, says its author.
func (p *Pool) Sum(n int) { p.sum(n, nil) }

func (p *Pool) sum(n int, outer []int) {
	own := make([]int, n)
	if outer == nil {
		outer = own
	}
	jobs := make(chan int)
	go func() {
		for i := range jobs {
			outer[i]++ // RACE!
		}
	}()
	if n > 0 {
		p.sum(n-1, outer)
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
}
