// The channel is passed on: its other user may close it, too.
package main

var x int

func finish(c chan bool) { close(c) }

func main() {
	c := make(chan bool)
	d := make(chan bool)
	go func() {
		x = 1 // RACE!
		finish(d)
	}()
	go finish(c)
	<-c
	println(x) // RACE!
	<-d
}
