// Package waits waits for its goroutines in functions that it calls or defers.
package waits

import "sync"

// Deferred looks at what the goroutine has done in what is deferred, whatever f does.
func Deferred(f func()) (n int) {
	var wg sync.WaitGroup
	m := 0
	defer func() {
		wg.Wait()
		m++
		n = m
	}()
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1
	}()
	f()
	return 0
}

// Before waits in what is deferred last.
func Before(f func()) (n int) {
	var wg sync.WaitGroup
	m := 0
	defer func() {
		m++
		n = m
	}()
	defer wg.Wait()
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1
	}()
	f()
	return 0
}

// Called waits by a function of its own, which returns what there is.
func Called(f func()) int {
	var wg sync.WaitGroup
	m := 0
	result := func() int {
		wg.Wait()
		return m
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1
	}()
	f()
	n := result()
	m++
	return n + m
}

// Nested calls one that calls one.
func Nested() int {
	var wg sync.WaitGroup
	m := 0
	result := func() int {
		func() {
			wg.Wait()
		}()
		return m
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		m = 1
	}()
	return result() + m
}
