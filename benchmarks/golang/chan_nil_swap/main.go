// A channel variable holds one of two channels.
package main

var x int

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	c := a
	if len(b) == 0 {
		c = b
	}
	b <- 1
	go func() {
		x = 1 // RACE!
		a <- 1
	}()
	<-c
	println(x) // RACE!
}
