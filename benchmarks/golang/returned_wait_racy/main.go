// A function starts a goroutine and returns a closure, which does not wait for all that the goroutine does, or not for that goroutine.
package main

import "sync"

// conditional waits if it wants to.
func conditional(wait bool) func() int {
	n, done := 0, make(chan struct{})
	go func() {
		n = 1 // RACE!
		close(done)
	}()
	return func() int {
		if wait {
			<-done
		}
		return n // RACE!
	}
}

// third has a closure that does not wait.
func third() (func() int, func() int) {
	n, done := 0, make(chan struct{})
	go func() {
		n = 1 // RACE!
		close(done)
	}()
	return func() int { <-done; return n }, func() int { return n } // RACE!
}

// twice has a closure that two goroutines call.
func twice() func() int {
	n, done := 0, make(chan struct{})
	go func() {
		n = 1 // NORACE
		close(done)
	}()
	return func() int {
		<-done
		n++      // RACE!
		return n // RACE!
	}
}

// goesOn writes when it has closed.
func goesOn() func() int {
	n, done := 0, make(chan struct{})
	go func() {
		close(done)
		n = 1 // RACE!
	}()
	return func() int { <-done; return n } // RACE!
}

// another may be told by somebody else.
func another() func() int {
	n, done := 0, make(chan struct{}, 2)
	go func() {
		n = 1 // RACE!
		done <- struct{}{}
	}()
	go func() { done <- struct{}{} }()
	return func() int { <-done; return n } // RACE!
}

// many starts several.
func many(k int) func() int {
	n, done := 0, make(chan struct{}, k)
	for range k {
		go func() {
			n++ // RACE!
			done <- struct{}{}
		}()
	}
	return func() int { <-done; return n } // RACE!
}

// shared is given a variable that two runs share.
func shared(n *int) func() int {
	done := make(chan struct{})
	go func() {
		*n = 1 // RACE!
		close(done)
	}()
	return func() int { <-done; return *n } // RACE!
}

// replaced has another channel in its variable.
func replaced() (func() int, func()) {
	n, done := 0, make(chan struct{})
	go func() {
		n = 1       // RACE!
		close(done) // RACE!
	}()
	return func() int { <-done; return n }, func() { done = make(chan struct{}); close(done) } // RACE!
}

// later adds when the closure may wait already.
func later() func() int {
	a, b := 0, 0
	var wg sync.WaitGroup
	wait := func() int {
		wg.Wait()    // RACE!
		return a + b // RACE!
	}
	wg.Add(1)
	go func() {
		a = 1 // RACE!
		wg.Done()
	}()
	go wait()
	wg.Add(1) // RACE!
	go func() {
		b = 1 // RACE!
		wg.Done()
	}()
	return wait
}

// early counts down before it writes.
func early() func() int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		a = 1 // RACE!
	}()
	return func() int { wg.Wait(); return a } // RACE!
}

// uncounted counts one of two.
func uncounted() func() int {
	a, b := 0, 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		a = 1 // RACE!
		wg.Done()
	}()
	go func() {
		b = 1 // RACE!
		wg.Done()
	}()
	return func() int { wg.Wait(); return a + b } // RACE!
}

// self writes in the function that has started the goroutine.
func self() func() int {
	n, done := 0, make(chan struct{})
	go func() {
		n = 1 // RACE!
		close(done)
	}()
	n++ // RACE!
	return func() int { <-done; return n }
}

func use() {
	conditional(false)()
	a, b := third()
	println(b(), a())
	w := twice()
	go w()
	println(w(), goesOn()(), another()(), many(3)(), early()())
	n := 0
	s := shared(&n)
	println(shared(&n)(), s())
	r, replace := replaced()
	replace()
	println(r(), later()(), uncounted()(), self()())
}

func main() {
	go use()
	use()
}
