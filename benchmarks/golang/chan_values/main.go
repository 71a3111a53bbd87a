// Values sent through a channel are not shared otherwise.
package main

import "fmt"

type item struct{ n int }

func main() {
	ch := make(chan *item)
	go func() {
		for i := 0; i < 3; i++ {
			it := &item{}
			it.n = i // NORACE
			ch <- it
		}
		close(ch)
	}()
	for it := range ch {
		fmt.Println(it.n) // NORACE
	}
}
