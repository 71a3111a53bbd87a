// Objects are handed on through channels, and used by those that have handed them on, or by two that were handed them.
package main

import "runtime"

type after struct{ n int }

// useAfter: the sender goes on using the object.
func useAfter() {
	ch := make(chan *after)
	go func() {
		for a := range ch {
			a.n++ // RACE!
		}
	}()
	a := &after{}
	ch <- a
	a.n = 2 // RACE!
}

type twice struct{ n int }

// sendTwice: two receive it.
func sendTwice() {
	ch := make(chan *twice)
	for range 2 {
		go func() {
			t := <-ch
			t.n++ // RACE!
		}()
	}
	t := &twice{}
	ch <- t
	ch <- t
}

type once struct{ n int }

// sendOne: one object is sent again and again.
func sendOne() {
	ch := make(chan *once)
	for range 2 {
		go func() {
			for o := range ch {
				o.n++ // RACE!
			}
		}()
	}
	o := &once{}
	for range 4 {
		ch <- o
	}
}

type both struct{ n int }

// toBoth: through two channels.
func toBoth() {
	a, b := make(chan *both, 1), make(chan *both, 1)
	go func() { (<-a).n = 1 }() // RACE!
	go func() { (<-b).n = 2 }() // RACE!
	x := &both{}
	a <- x
	b <- x
}

type kept struct{ n int }

var last *kept

// keep: a variable leads to it, too.
func keep() {
	ch := make(chan *kept)
	go func() {
		for k := range ch {
			k.n++ // RACE!
		}
	}()
	last = &kept{}
	ch <- last
	last.n++ // RACE!
}

type passedOn struct{ n int }

// goesOn: a stage uses what it has handed on.
func goesOn() {
	in, out := make(chan *passedOn), make(chan *passedOn)
	go func() {
		for p := range in {
			out <- p
			p.n++ // RACE!
		}
	}()
	go func() {
		for p := range out {
			p.n = 7 // RACE!
		}
	}()
	in <- &passedOn{}
}

type helped struct{ n int }

func send(ch chan<- *helped, h *helped) { ch <- h }

// helper: a function sends what its caller goes on using.
func helper() {
	ch := make(chan *helped)
	go func() {
		for h := range ch {
			h.n++ // RACE!
		}
	}()
	h := new(helped)
	send(ch, h)
	println(h.n) // RACE!
}

type inArray struct{ n int }

// elements of an array, sent in two rounds.
func elements() {
	ch := make(chan *inArray)
	for range 2 {
		go func() {
			for e := range ch {
				e.n++ // RACE!
			}
		}()
	}
	all := make([]inArray, 4)
	for range 2 {
		for i := range all {
			ch <- &all[i]
		}
	}
}

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

func main() {
	useAfter()
	sendTwice()
	sendOne()
	toBoth()
	keep()
	goesOn()
	helper()
	elements()
	starts()
	boxes()
	perhaps(make(chan bool))
	deeper()
	ends()
	throws()
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
