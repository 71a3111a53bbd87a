// Package pool: goroutines that share elements of a slice that a function makes.
package pool

import "sync"

// Pool may be used by several goroutines at once.
type Pool struct {
	mu   sync.Mutex
	last []int
}

// Pairs adds neighbours. It is safe for concurrent use.
func (p *Pool) Pairs(xs []int) []int {
	out := make([]int, len(xs)+1)
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] += x   // RACE!
			out[i+1] += x // RACE!
		}()
	}
	wg.Wait()
	return out
}

// Twice has two goroutines for each element. It is safe for concurrent use.
func (p *Pool) Twice(xs []int) []int {
	sum := make([]int, len(xs))
	var wg sync.WaitGroup
	for k := 0; k < 2; k++ {
		for i := range xs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				sum[i] += k // RACE!
			}()
		}
	}
	wg.Wait()
	return sum
}

func fill(id int, part []int, wg *sync.WaitGroup) {
	defer wg.Done()
	part[id]++ // RACE!
}

// Parts hands out parts that overlap. It is safe for concurrent use.
func (p *Pool) Parts(n int) []int {
	all := make([]int, n+1)
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go fill(i, all[i%2:], &wg)
	}
	wg.Wait()
	return all
}

// Grow exchanges the slice for another one while goroutines write it. It is safe for concurrent use.
func (p *Pool) Grow(n int) []int {
	buf := make([]int, n)
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			buf[i]++ // RACE!
		}()
		buf = append(buf, i) // RACE!
	}
	wg.Wait()
	return buf
}

// Keep writes what another call has put there. It is safe for concurrent use.
func (p *Pool) Keep(n int) {
	p.mu.Lock()
	if p.last == nil {
		p.last = make([]int, n)
	}
	last := p.last
	p.mu.Unlock()
	var wg sync.WaitGroup
	for i := range last {
		wg.Add(1)
		go func() {
			defer wg.Done()
			last[i]++ // RACE!
		}()
	}
	wg.Wait()
}
