// The receive orders main after the goroutine's write.
package main

import "fmt"

func main() {
	done := make(chan bool)
	x := 0
	go func() {
		x = 1 // NORACE
		done <- true
	}()
	<-done
	fmt.Println(x) // NORACE
}
