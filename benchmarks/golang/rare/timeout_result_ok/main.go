// The call of timeout_result, repaired: the result goes through a channel with room for it.
package main

import (
	"errors"
	"time"
)

type result struct {
	reply int
	err   error
}

func serve(out chan result) {
	time.Sleep(time.Millisecond)
	out <- result{reply: 42}
}

func wait(out chan result, limit time.Duration) result {
	var r result
	select {
	case r = <-out:
	case <-time.After(limit):
		r.err = errors.New("timeout") // NORACE
	}
	return r
}

func main() {
	out := make(chan result, 1)
	go serve(out)
	r := wait(out, 2*time.Second)
	println(r.reply, r.err == nil) // NORACE
}
