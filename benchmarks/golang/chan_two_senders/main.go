// The receive may have been served by the other sender.
package main

var x, y int

func main() {
	ch := make(chan int, 2)
	go func() {
		x = 1 // RACE!
		ch <- 1
	}()
	go func() {
		y = 1 // RACE!
		ch <- 2
	}()
	<-ch
	println(x, y) // RACE!
}
