// Package pool: a goroutine for each element of a slice that a function makes, or gets and hands on.
package pool

import "sync"

// Pool may be used by several goroutines at once.
type Pool struct {
	mu   sync.Mutex
	runs int
}

// Map applies f to each element. It is safe for concurrent use.
func (p *Pool) Map(xs []int, f func(int) int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs { // NORACE
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = f(x) // NORACE
		}()
	}
	wg.Wait()
	p.mu.Lock()
	p.runs++ // NORACE
	p.mu.Unlock()
	return out
}

func work(id int, results []int, names []string, wg *sync.WaitGroup) {
	defer wg.Done()
	results[id] = len(names[id]) // NORACE
}

// Lengths counts. It is safe for concurrent use.
func (p *Pool) Lengths(names []string) []int {
	results := make([]int, len(names))
	var wg sync.WaitGroup
	for i := 0; i < len(names); i++ {
		wg.Add(1)
		go work(i, results, names, &wg)
	}
	wg.Wait()
	return results
}
