// Workers wait until main has prepared the data.
package main

var data []int

func main() {
	start := make(chan struct{})
	for i := 0; i < 3; i++ {
		go func() {
			<-start
			println(len(data)) // NORACE
		}()
	}
	data = []int{1, 2, 3} // NORACE
	close(start)
}
