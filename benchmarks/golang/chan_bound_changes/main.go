// Loops whose bound is not the number of their iterations: fewer results are received than goroutines were started.
package main

var n = 5
var first, second, third int

func changes() {
	done := make(chan bool)
	m := 5
	for i := 0; i < m; i++ {
		go func() {
			first++ // RACE!
			done <- true
		}()
		if i == 2 {
			m = 1
		}
	}
	for j := 0; j < m; j++ {
		<-done
	}
	first = 7 // RACE!
}

func loads() {
	done := make(chan bool)
	var m int
	i := 0
	for {
		m = n
		if !(i < m) {
			break
		}
		go func() {
			second++ // RACE!
			done <- true
		}()
		if i == 2 {
			n = 1
		}
		i++
	}
	for j := 0; j < m; j++ {
		<-done
	}
	second = 7 // RACE!
}

func shrinks() {
	done := make(chan bool)
	xs := make([]int, 5)
	for i := 0; i < len(xs); i++ {
		go func() {
			third++ // RACE!
			done <- true
		}()
		if i == 2 {
			xs = xs[4:]
		}
	}
	for j := 0; j < len(xs); j++ {
		<-done
	}
	third = 7 // RACE!
}

func main() {
	changes()
	loads()
	shrinks()
}
