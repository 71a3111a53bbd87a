// WANT: verify | racy | a timeout closes the result channel, the worker comes late and
// sends
package main

import (
	"fmt"
	"time"
)

func ask(d time.Duration) int {
	res := make(chan int, 1)
	time.AfterFunc(2*time.Millisecond, func() {
		close(res) // RACE!
	})
	go func() {
		defer func() { _ = recover() }()
		time.Sleep(d)
		res <- 42 // RACE!
	}()
	return <-res
}

func main() {
	fmt.Println(ask(time.Millisecond), ask(3*time.Millisecond))
	time.Sleep(5 * time.Millisecond)
}
