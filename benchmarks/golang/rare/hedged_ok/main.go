// The hedged request, repaired: each server has a reply of its own, which goes through the channel.
package main

import "time"

type reply struct {
	body string
	from int
}

func main() {
	replies := make(chan reply, 2)
	ask := func(server int) {
		time.Sleep(time.Millisecond)
		var r reply
		r.body = "hello" // NORACE
		r.from = server  // NORACE
		replies <- r
	}
	go ask(1)
	var r reply
	select {
	case r = <-replies:
	case <-time.After(2 * time.Second):
		go ask(2)
		r = <-replies
	}
	println(r.body, r.from) // NORACE
}
