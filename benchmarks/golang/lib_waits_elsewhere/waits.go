// Package waits waits for its goroutines in functions that it calls or defers, but not
// always.
package waits

import "sync"

// Perhaps waits if f says so.
func Perhaps(f func() bool) {
	var wg sync.WaitGroup
	m := 0
	wait := func() {
		if f() {
			wg.Wait()
		}
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1 // RACE!
	}()
	wait()
	m++ // RACE!
}

// Panics does not wait where f panics.
func Panics(f func()) {
	var wg sync.WaitGroup
	m := 0
	defer func() { m++ }() // RACE!
	defer func() {
		f()
		wg.Wait()
	}()
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1 // RACE!
	}()
}

// Recovers goes on without having waited where f panics.
func Recovers(f func()) {
	var wg sync.WaitGroup
	m := 0
	wait := func() {
		f()
		wg.Wait()
	}
	outer := func() {
		defer func() { recover() }()
		wait()
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1 // RACE!
	}()
	outer()
	m++ // RACE!
}

// Order waits in what is deferred first, which comes last.
func Order() {
	var wg sync.WaitGroup
	m := 0
	defer wg.Wait()
	defer func() { m++ }() // RACE!
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1 // RACE!
	}()
}

// Beside waits in a goroutine.
func Beside() {
	var wg sync.WaitGroup
	m := 0
	wait := func() { wg.Wait() }
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1 // RACE!
	}()
	go wait()
	m++ // RACE!
}

// Early waits before it starts anything.
func Early() {
	var wg sync.WaitGroup
	m := 0
	wait := func() { wg.Wait() }
	wait()
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1 // RACE!
	}()
	m++ // RACE!
	wait()
}
