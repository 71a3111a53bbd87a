// A hedged request: if the first server is silent for two seconds, a second one is asked, too, and both write the same reply. The first
// server answers in a millisecond, so this almost never happens.
package main

import "time"

type reply struct {
	body string
	from int
}

func main() {
	var r reply
	done := make(chan bool, 2)
	ask := func(server int) {
		time.Sleep(time.Millisecond)
		r.body = "hello" // RACE!
		r.from = server  // RACE!
		done <- true
	}
	go ask(1)
	select {
	case <-done:
	case <-time.After(2 * time.Second):
		go ask(2)
		<-done
	}
	println(r.body, r.from) // RACE!
}
