// The sender goes on writing what it has sent.
package main

import "fmt"

type item struct{ n int }

func main() {
	ch := make(chan *item, 1)
	go func() {
		it := &item{}
		for i := 0; i < 3; i++ {
			it.n = i // RACE!
			ch <- it
		}
	}()
	it := <-ch
	fmt.Println(it.n) // RACE!
}
