// A pool counts as many workers as it starts: the number is a member that never changes.
package main

import "sync"

type pool struct {
	workers int
	results chan int
	sum     int
}

func (p *pool) work(i int) { p.results <- i } // NORACE

func (p *pool) run() {
	var wg sync.WaitGroup
	wg.Add(p.workers)
	for i := 0; i < p.workers; i++ {
		go func() {
			p.work(i)
			wg.Done()
		}()
	}
	wg.Wait()
	close(p.results) // NORACE
	for x := range p.results {
		p.sum += x
	}
}

func newPool(n int) *pool {
	p := &pool{results: make(chan int, 100)}
	p.workers = n
	return p
}

func main() {
	p := newPool(4)
	p.run()
	println(p.sum)
}
