// In the manner of moby #22941: a test's goroutine assigns to the error variable of the function that starts it, which goes on using it.
package main

import "errors"

func write(n int) error {
	if n > 1 {
		return errors.New("closed pipe")
	}
	return nil
}

func main() {
	err := write(0)
	done := make(chan bool)
	go func() {
		err = write(1) // RACE!
		close(done)
	}()
	if err = write(0); err != nil { // RACE!
		println("failed")
	}
	<-done
}
