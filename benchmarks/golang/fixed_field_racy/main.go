// Pools that start other numbers of workers than they count: the member changes on the way.
package main

import "sync"

type pool struct {
	workers int
	results chan int
}

func (p *pool) run() {
	var wg sync.WaitGroup
	wg.Add(p.workers)
	p.workers *= 2
	for i := 0; i < p.workers; i++ {
		go func() {
			p.results <- i // RACE!
			wg.Done()
		}()
	}
	wg.Wait()
	close(p.results) // RACE!
}

type config struct{ workers int }

type crew struct {
	config
	results chan int
}

func (c *crew) grow() { c.config = config{workers: c.workers + 1} }

func (c *crew) run() {
	var wg sync.WaitGroup
	wg.Add(c.workers)
	c.grow()
	for i := 0; i < c.workers; i++ {
		go func() {
			c.results <- i // RACE!
			wg.Done()
		}()
	}
	wg.Wait()
	close(c.results) // RACE!
}

type team struct {
	workers int
	results chan int
}

func (t *team) run(u *team) {
	var wg sync.WaitGroup
	wg.Add(t.workers)
	for i := 0; i < u.workers; i++ {
		go func() {
			t.results <- i // RACE!
			wg.Done()
		}()
	}
	wg.Wait()
	close(t.results) // RACE!
}

func main() {
	p := &pool{workers: 2, results: make(chan int, 100)}
	p.run()
	c := &crew{config{2}, make(chan int, 100)}
	c.run()
	t, u := &team{2, make(chan int, 100)}, &team{4, make(chan int, 100)}
	t.run(u)
}
