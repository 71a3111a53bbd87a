// A request carries the channel for its answer.
package main

type request struct {
	n    int
	back chan int
}

func serve(in chan request) {
	total := 0
	for r := range in {
		total += r.n // NORACE
		r.back <- total
	}
}

func main() {
	in := make(chan request)
	go serve(in)
	for i := 0; i < 3; i++ {
		r := request{i, make(chan int)}
		in <- r
		println(<-r.back) // NORACE
	}
	close(in)
}
