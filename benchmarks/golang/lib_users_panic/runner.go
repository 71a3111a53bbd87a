// Package runner calls what its users give it. Where that panics, what is deferred runs
// at once, and nothing waits for the goroutines that are under way.
package runner

import "sync"

// Job is what users do.
type Job interface{ Do() error }

// Count waits in vain where f panics.
func Count(f func()) (n int) {
	var wg sync.WaitGroup
	defer func() {
		recover()
		n++ // RACE!
	}()
	wg.Add(1)
	go func() {
		defer wg.Done()
		n = 1 // RACE!
	}()
	f()
	wg.Wait()
	return n // RACE! what recover leaves is returned, too
}

// Jobs does not recover, but its users may.
func Jobs(jobs []Job) {
	done := 0
	var wg sync.WaitGroup
	defer func() { done++ }() // RACE!
	wg.Add(1)
	go func() {
		defer wg.Done()
		done = 1 // RACE!
	}()
	for _, j := range jobs {
		j.Do()
	}
	wg.Wait()
}

// Meter counts calls.
type Meter struct {
	mu    sync.Mutex
	calls int
}

// Run gives the lock back while f runs; where that panics, it is not taken again.
func (m *Meter) Run(f func()) {
	m.mu.Lock()
	defer func() { m.calls++ }() // RACE!
	m.mu.Unlock()
	f()
	m.mu.Lock()
	m.mu.Unlock()
}

// Calls is their number.
func (m *Meter) Calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls // RACE!
}

// Guard takes the lock where it counts: whatever f does, that is in order.
type Guard struct {
	mu    sync.Mutex
	calls int
}

// Run counts under the lock.
func (g *Guard) Run(f func()) {
	defer func() {
		recover()
		g.mu.Lock()
		g.calls++
		g.mu.Unlock()
	}()
	f()
}

// Calls counts under the lock, too, and holds it while f runs.
func (g *Guard) Calls(f func()) int {
	g.mu.Lock()
	defer func() {
		g.calls++
		g.mu.Unlock()
	}()
	f()
	return g.calls
}
