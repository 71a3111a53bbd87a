// Objects are handed on through channels, and used by those that have handed them on, or by two that were handed them.
package main

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

func main() {
	useAfter()
	sendTwice()
	sendOne()
	toBoth()
	keep()
	goesOn()
	helper()
	elements()
}
