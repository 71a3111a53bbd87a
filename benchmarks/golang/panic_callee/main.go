// What a caller has deferred runs after a panic of the function it calls, and where it recovers, the program goes on.
package main

import "sync"

var (
	failed, ok int
	after      int
	mu         sync.Mutex
)

func must(err error) {
	panic(err)
}

func try(f func()) {
	defer func() {
		if recover() != nil {
			failed++ // RACE!
			mu.Lock()
			ok++
			mu.Unlock()
		}
	}()
	f()
}

func main() {
	done := make(chan bool)
	go func() {
		try(func() { must(nil) })
		after++ // RACE!
		close(done)
	}()
	try(func() { must(nil) })
	after++ // RACE!
	<-done
}
