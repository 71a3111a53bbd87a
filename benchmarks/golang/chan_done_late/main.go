// The write comes after the send.
package main

import "fmt"

func main() {
	done := make(chan bool, 1)
	x := 0
	go func() {
		done <- true
		x = 1 // RACE!
	}()
	<-done
	fmt.Println(x) // RACE!
}
