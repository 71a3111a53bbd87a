// A WaitGroup is used for a second round when every Wait of the first has returned.
package main

import "sync"

// alone is the only one that waits.
func alone() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1) // NORACE
		go func() { wg.Done() }()
		wg.Wait() // NORACE
	}
}

// told knows that the other one has waited.
func told() {
	var wg sync.WaitGroup
	done := make(chan bool)
	wg.Add(1)
	go func() { wg.Done() }()
	go func() {
		wg.Wait() // NORACE
		close(done)
	}()
	wg.Wait()
	<-done
	wg.Add(1) // NORACE
	go func() { wg.Done() }()
	wg.Wait() // NORACE
}

// own has a WaitGroup for each round.
func own() {
	for range 3 {
		var wg sync.WaitGroup
		done := make(chan int)
		wg.Add(1) // NORACE
		go func() { wg.Done() }()
		go func() {
			wg.Wait() // NORACE
			close(done)
		}()
		wg.Wait()
		<-done
	}
}

// locked waits and adds under one lock.
type locked struct {
	mu sync.Mutex
	wg sync.WaitGroup
}

func (l *locked) round() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wg.Add(1) // NORACE
	go l.wg.Done()
	l.wg.Wait() // NORACE
	l.wg.Add(1) // NORACE
	go l.wg.Done()
	l.wg.Wait() // NORACE
}

func main() {
	alone()
	told()
	own()
	l := &locked{}
	go l.round()
	l.round()
}
