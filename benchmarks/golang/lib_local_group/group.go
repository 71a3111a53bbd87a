// Package group: WaitGroups of their own in functions that several callers run at once.
package group

import "sync"

// Pool may be used by several goroutines at once.
type Pool struct {
	mu   sync.Mutex
	runs int
}

// Two runs two goroutines. It is safe for concurrent use.
func (p *Pool) Two() int {
	var a, b int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a = 1; wg.Done() }() // NORACE
	go func() {
		defer wg.Done()
		b = 2 // NORACE
	}()
	wg.Wait()
	a++          // NORACE
	return a + b // NORACE
}

// First is the first error of many. It is safe for concurrent use.
func (p *Pool) First(fs []func() error) (err error) {
	var wg sync.WaitGroup
	var once sync.Once
	for _, f := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if e := f(); e != nil {
				once.Do(func() { err = e }) // NORACE
			}
		}()
	}
	wg.Wait()
	return err // NORACE
}

// Count counts. It is safe for concurrent use.
func (p *Pool) Count(n int) (sum int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range n {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			sum++ // NORACE
		})
	}
	wg.Wait()
	sum *= 2   // NORACE
	return sum // NORACE
}

func count(wg *sync.WaitGroup, n *int) {
	*n = 5 // NORACE
	wg.Done()
}

// Given hands the group and a variable on. It is safe for concurrent use.
func (p *Pool) Given() int {
	n := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go count(&wg, &n)
	wg.Wait()
	return n // NORACE
}
