// A circuit breaker lets one probe through when it has been open for a while. Whether one is under way is asked in one critical section and noted
// in another, so two probes may run, and both write what they measured. The second caller comes milliseconds later.
package main

import (
	"sync"
	"time"
)

type breaker struct {
	mu      sync.Mutex
	probing bool
	latency time.Duration
}

func (b *breaker) allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.probing // NORACE
}

func (b *breaker) begin() {
	b.mu.Lock()
	b.probing = true // NORACE
	b.mu.Unlock()
}

func (b *breaker) call() {
	if !b.allow() {
		return
	}
	b.begin()
	start := time.Now()
	b.latency = time.Since(start) // RACE!
}

func main() {
	b := new(breaker)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		b.call()
	}()
	time.Sleep(5 * time.Millisecond)
	b.call()
	wg.Wait()
}
