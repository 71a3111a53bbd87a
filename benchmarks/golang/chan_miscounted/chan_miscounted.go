// Receives that are too few, or of which one goroutine sends several.
package main

var tooFew, broken, skipped, perhaps, sendsTwice, other [8]int

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

func main() {
	println(fewer(4), breaks(4), skips(4), mayNot(2), twice(4), another(4))
}
