// Package jobs has functions that start goroutines, beside a type with a lock, and waits
// or locks where users may come.
package jobs

import "sync"

// Box has a lock of its own.
type Box struct {
	mu sync.Mutex
	n  int
}

// Inc counts.
func (b *Box) Inc() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
}

// All runs functions, and waits for them.
func All(fs ...func() error) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var err error
	for _, f := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if e := f(); e != nil {
				mu.Lock()
				err = e
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return err
}

// Result waits for its goroutine.
type Result struct {
	v    int
	done chan struct{}
}

// Get waits.
func (r *Result) Get() int {
	<-r.done
	return r.v
}

// Async returns what knows when it is there.
func Async(f func() int) *Result {
	r := &Result{done: make(chan struct{})}
	go func() {
		r.v = f()
		close(r.done)
	}()
	return r
}

var (
	mu   sync.Mutex
	last func()
)

// Launch starts what it is given, and keeps it under a lock.
func Launch(f func()) {
	mu.Lock()
	last = f
	mu.Unlock()
	go f()
}

// Cell has a lock.
type Cell struct {
	mu sync.Mutex
	n  int
}

// Set changes what Follow's goroutine reads, under the lock.
func (c *Cell) Set(n int) {
	c.mu.Lock()
	c.n = n
	c.mu.Unlock()
}

// Follow starts a goroutine that reads what it is given.
func Follow(c *Cell, f func(int)) {
	go func() {
		c.mu.Lock()
		n := c.n
		c.mu.Unlock()
		f(n)
	}()
}
