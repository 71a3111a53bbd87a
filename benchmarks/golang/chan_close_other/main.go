// Another channel is closed.
package main

var x int

func main() {
	a, b := make(chan int), make(chan int)
	go func() {
		x = 1 // RACE!
		close(a)
	}()
	go func() {
		close(b)
	}()
	<-b
	println(x) // RACE!
	<-a
}
