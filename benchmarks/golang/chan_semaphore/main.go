// A buffered channel as a lock.
package main

var sem = make(chan struct{}, 1)
var n int

func inc() {
	sem <- struct{}{}
	n++ // RULED OUT: a channel as a lock is not understood
	<-sem
}

func main() {
	go inc()
	inc()
}
