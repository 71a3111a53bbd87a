// Parts of what is known of a goroutine are handed on: by who waits for a group and then tells, by stages, by a goroutine that was told
// and starts another. In each function something is told too early, or not to all.
package main

import "sync"

// miscounted: one goroutine counts down twice, the other not at all, but two are counted and a third counts: sum 2, three dones
func miscounted() int {
	x, y := 0, 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		x = 1 // RACE!
		wg.Done()
		wg.Done()
	}()
	go func() {
		y = 1 // RACE!
		wg.Done()
	}()
	wg.Wait()
	return x + y // RACE!
}

// sooner: counts 1, downs twice conditional
func sooner(c bool) int {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if c {
			wg.Done()
		}
		x = 1 // RACE!
		if !c {
			wg.Done()
		}
	}()
	wg.Wait()
	return x // RACE!
}

// uncounted: conditional add, done twice
func uncounted(k bool) int {
	x := 0
	var wg sync.WaitGroup
	if k {
		wg.Add(2)
	}
	go func() {
		x = 1 // RACE!
		if k {
			wg.Done()
			wg.Done()
		}
	}()
	wg.Wait()
	return x // RACE!
}

// beside: goroutine 2 started before the wait
func beside() int {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // RACE!
	}()
	go func() {
		x = 2 // RACE!
	}()
	wg.Wait()
	return x // RACE!
}

// either: channel closed by two, one has waited
func either() int {
	x := 0
	var wg sync.WaitGroup
	done := make(chan struct{}, 2)
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // RACE!
	}()
	go func() {
		wg.Wait()
		done <- struct{}{}
	}()
	go func() {
		done <- struct{}{}
	}()
	<-done
	return x // RACE!
}

// before: the sender waits after the send
func before() int {
	x := 0
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // RACE!
	}()
	go func() {
		done <- struct{}{}
		wg.Wait()
	}()
	<-done
	return x // RACE!
}

// mayWait: waits on one of two ways
func mayWait(k bool) int {
	x := 0
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // RACE!
	}()
	go func() {
		if k {
			wg.Wait()
		}
		close(done)
	}()
	<-done
	return x // RACE!
}

// recovers: deferred close, panic before the wait is recovered
func recovers(p *int) int {
	x := 0
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // RACE!
	}()
	go func() {
		defer func() { recover() }()
		defer close(done)
		*p = 1
		wg.Wait()
	}()
	<-done
	return x // RACE!
}

// unordered: chain of stages, the second tells too early
func unordered() int {
	x := 0
	d1, d2 := make(chan struct{}), make(chan struct{})
	go func() {
		x = 1 // RACE!
		close(d1)
	}()
	go func() {
		close(d2)
		<-d1
	}()
	<-d2
	return x // RACE!
}

// mayReceive: chain with a default
func mayReceive() int {
	x := 0
	d1, d2 := make(chan struct{}), make(chan struct{})
	go func() {
		x = 1 // RACE!
		close(d1)
	}()
	go func() {
		select {
		case <-d1:
		default:
		}
		close(d2)
	}()
	<-d2
	return x // RACE!
}

// readers: loop of waiters
func readers() {
	x := 0
	d := make(chan struct{})
	go func() {
		x = 1
		close(d)
	}()
	for range 2 {
		go func() {
			<-d
			x++ // RACE!
		}()
	}
}

// loop: group reused by goroutines in a loop
func loop() {
	x := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			x++ // RACE!
			wg.Done()
		}()
	}
	go func() { wg.Wait(); x++ }()
}

// afterDone: wait in a loop around the go statement
func afterDone() {
	x := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			wg.Done()
			x++ // RACE!
		}()
		wg.Wait()
		x++ // RACE!
	}
}

// helper: surplus counted, done before all in another function
func helper() int {
	x, y := 0, 0
	var wg sync.WaitGroup
	down := func() { wg.Done() }
	wg.Add(2)
	go func() {
		down()
		x = 1 // RACE!
	}()
	go func() {
		y = 1 // RACE!
		wg.Done()
	}()
	wg.Wait()
	return x + y // RACE!
}

// early: wait passes since a late goroutine's add comes after
func early() int {
	x, y := 0, 0
	var wg sync.WaitGroup
	go func() {
		wg.Wait() // RACE!
		_ = y     // RACE!
		x++       // RACE!
	}()
	wg.Add(1) // RACE!
	go func() {
		x++ // RACE!
		y++ // RACE!
		wg.Done()
	}()
	wg.Wait()
	return 0
}

func all(w *sync.WaitGroup) {
	defer w.Done()
	miscounted()
	sooner(true)
	uncounted(false)
	beside()
	either()
	before()
	mayWait(false)
	recovers(nil)
	unordered()
	mayReceive()
	readers()
	loop()
	afterDone()
	helper()
	early()
}

func main() {
	var w sync.WaitGroup
	w.Add(2)
	go all(&w)
	go all(&w)
	w.Wait()
}
