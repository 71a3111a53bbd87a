// More of passing_shared: what is handed over, and used all the same.
package main

import "runtime"

type started struct{ n int }

// starts: the receiver starts a goroutine with it.
func starts() {
	ch := make(chan *started)
	go func() {
		for s := range ch {
			go func() { s.n++ }() // RACE!
			s.n = 3               // RACE!
		}
	}()
	ch <- &started{}
}

type boxed struct{ n int }

// boxes: in an interface through another channel.
func boxes() {
	ch, anyCh := make(chan *boxed, 1), make(chan any, 1)
	go func() { (<-ch).n = 1 }()             // RACE!
	go func() { (<-anyCh).(*boxed).n = 2 }() // RACE!
	b := &boxed{}
	anyCh <- b
	ch <- b
}

type maybe struct{ n int }

// perhaps: after a select that may have sent it.
func perhaps(quit chan bool) {
	ch := make(chan *maybe)
	go func() {
		for m := range ch {
			m.n++ // RACE!
		}
	}()
	m := &maybe{}
	select {
	case ch <- m:
	case <-quit:
	}
	m.n = 1 // RACE!
}

type inside struct {
	own  int
	more *inside
}

// deeper: what the object leads to is not handed on.
func deeper() {
	ch := make(chan *inside)
	shared := &inside{}
	for range 2 {
		go func() {
			for i := range ch {
				i.own++      // NORACE
				i.more.own++ // RACE!
			}
		}()
	}
	for range 4 {
		ch <- &inside{more: shared}
	}
}

type ended struct{ n int }

// giveAndEnd gives an object away and ends the goroutine: what is deferred runs after that.
func giveAndEnd(ch chan *ended, e *ended) {
	if e.n == 0 { // NORACE
		ch <- e
		runtime.Goexit()
	}
}

func ends() {
	ch := make(chan *ended, 4)
	go func() {
		for e := range ch {
			e.n++ // RACE!
		}
	}()
	for range 2 {
		go func() {
			e := &ended{}
			defer func() { e.n = 2 }() // RACE!
			giveAndEnd(ch, e)
		}()
	}
}

type thrown struct{ n int }

func giveAndPanic(ch chan *thrown, t *thrown) {
	ch <- t
	panic("given")
}

func throws() {
	ch := make(chan *thrown, 4)
	go func() {
		for t := range ch {
			t.n++ // RACE!
		}
	}()
	for range 2 {
		go func() {
			t := &thrown{}
			defer func() {
				recover()
				t.n = 2 // RACE!
			}()
			giveAndPanic(ch, t)
		}()
	}
}

func main() {
	starts()
	boxes()
	perhaps(make(chan bool))
	deeper()
	ends()
	throws()
}
