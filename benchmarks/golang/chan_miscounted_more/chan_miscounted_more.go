// More of chan_miscounted: receives that are too few, or no receives of what counts.
package main

import "sync"

var closes, nested, early, changed, chosen [8]int

func closed(n int) int {
	done := make(chan bool, n)
	for i := 0; i < n; i++ {
		go func() {
			defer func() { recover() }()
			closes[i] = i // RACE!
			done <- true  // RACE!
		}()
	}
	close(done) // RACE!
	for i := 0; i < n; i++ {
		<-done
	}
	return closes[0] // RACE!
}

func inner(n int) int {
	done := make(chan bool, n*n)
	for range 2 {
		for i := 0; i < n; i++ {
			go func() {
				nested[i] = i // RACE!
				done <- true
			}()
		}
	}
	for i := 0; i < n; i++ {
		<-done
	}
	return nested[0] // RACE!
}

func beforeSend(n int) int {
	done := make(chan bool)
	for i := 0; i < n; i++ {
		go func() {
			done <- true
			early[i] = i // RACE!
		}()
	}
	for i := 0; i < n; i++ {
		<-done
	}
	return early[0] // RACE!
}

func stepped(n int) int {
	done := make(chan bool, n)
	for i := 0; i < n; i++ {
		go func() {
			changed[i] = i // RACE!
			done <- true
		}()
	}
	for i := 0; i < n; i++ {
		<-done
		i++
	}
	return changed[0] // RACE!
}

func selected(n int) int {
	done, quit := make(chan bool), make(chan bool, 1)
	for i := 0; i < n; i++ {
		go func() {
			chosen[i] = i // RACE!
			done <- true
		}()
	}
	quit <- true
	for i := 0; i < n; i++ {
		select {
		case <-done:
		case <-quit:
		}
	}
	return chosen[0] // RACE!
}

var counts [4]int

func group() int {
	var wg sync.WaitGroup
	n := 3
	wg.Add(n)
	for i := 0; i < n+1; i++ {
		go func() {
			counts[i] = i // RACE!
			wg.Done()
		}()
	}
	wg.Wait()
	return counts[0] // RACE!
}

var doubled [8]int

func captured(n int) int {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			doubled[i] = i // RACE!
			wg.Done()
		}()
		if i == 1 {
			i-- // RACE!
			n--
		}
	}
	wg.Wait()
	return doubled[0] // RACE!
}

func main() {
	println(closed(4), inner(4), beforeSend(4), stepped(4), selected(4), group(), captured(4))
}
