// In the manner of kubernetes #81091: the scheduler asks its filter plugins about several nodes in parallel; a test's plugin counts the calls
// without a lock.
package main

import "sync"

type filter interface{ filter(node int) bool }

type fakePlugin struct{ called int }

func (p *fakePlugin) filter(node int) bool {
	p.called++ // RACE!
	return node%2 == 0
}

type framework struct{ plugins []filter }

func (f *framework) fits(node int) bool {
	for _, p := range f.plugins {
		if !p.filter(node) {
			return false
		}
	}
	return true
}

func parallelize(workers, pieces int, do func(piece int)) {
	todo := make(chan int, pieces)
	for i := 0; i < pieces; i++ {
		todo <- i
	}
	close(todo)
	var wg sync.WaitGroup
	wg.Add(workers)
	for i := 0; i < workers; i++ {
		go func() {
			defer wg.Done()
			for piece := range todo {
				do(piece)
			}
		}()
	}
	wg.Wait()
}

func main() {
	f := &framework{plugins: []filter{new(fakePlugin)}}
	parallelize(4, 8, func(piece int) { f.fits(piece) })
}
