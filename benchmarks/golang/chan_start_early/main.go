// The signal is given before the data is ready.
package main

var data []int

func main() {
	start := make(chan struct{})
	go func() {
		<-start
		println(len(data)) // RACE!
	}()
	close(start)
	data = []int{1, 2, 3} // RACE!
}
