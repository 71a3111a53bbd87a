// A default case means that nothing was received.
package main

var result int

func main() {
	done := make(chan struct{})
	go func() {
		result = 7 // RACE!
		close(done)
	}()
	select {
	case <-done:
	default:
	}
	println(result) // RACE!
}
