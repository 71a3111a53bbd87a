// Receives that are too few, or of which one goroutine sends several.
package main

import "sync"

var tooFew, broken, skipped, perhaps, sendsTwice, other, closes, nested, early, changed, chosen [8]int

func fewer(n int) int {
	done := make(chan bool)
	for i := 0; i < n; i++ {
		go func() {
			tooFew[i] = i // RACE!
			done <- true
		}()
	}
	for i := 0; i < n-1; i++ {
		<-done
	}
	return tooFew[0] // RACE!
}

func breaks(n int) int {
	done := make(chan bool)
	for i := 0; i < n; i++ {
		go func() {
			broken[i] = i // RACE!
			done <- i > 0
		}()
	}
	for i := 0; i < n; i++ {
		if <-done {
			break
		}
	}
	return broken[0] // RACE!
}

func skips(n int) int {
	done := make(chan bool, n)
	for i := 0; i < n; i++ {
		go func() {
			skipped[i] = i // RACE!
			done <- true
		}()
	}
	for i := 0; i < n; i++ {
		if i%2 == 0 {
			continue
		}
		<-done
	}
	return skipped[0] // RACE!
}

func mayNot(n int) int {
	done := make(chan bool, n)
	for i := 0; i < n; i++ {
		go func() {
			perhaps[i] = i // RACE!
			done <- true
		}()
	}
	if n > 2 {
		for i := 0; i < n; i++ {
			<-done
		}
	}
	return perhaps[0] // RACE!
}

func twice(n int) int {
	done := make(chan bool, 2*n)
	for i := 0; i < n; i++ {
		go func() {
			done <- true
			sendsTwice[i] = i // RACE!
			done <- true
		}()
	}
	for i := 0; i < n; i++ {
		<-done
	}
	return sendsTwice[0] // RACE!
}

func another(n int) int {
	done := make(chan bool, 2*n)
	for i := 0; i < n; i++ {
		go func() {
			other[i] = i // RACE!
			done <- true
		}()
	}
	go func() { done <- false }()
	for i := 0; i < n; i++ {
		<-done
	}
	return other[0] // RACE!
}

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
	println(fewer(4), breaks(4), skips(4), mayNot(2), twice(4), another(4), closed(4), inner(4), beforeSend(4), stepped(4), selected(4), group(), captured(4))
}
