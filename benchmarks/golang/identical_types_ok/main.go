// Types that differ in a name are different types, and so are their members and channels.
package main

import (
	"os"
	"sync"
)

type number int

type box[T any] struct {
	mu *sync.Mutex
	v  T
}

var first, second sync.Mutex

func other(b *box[number]) { b.mu = &second }

var x int

func locks() {
	other(&box[number]{})
	b := &box[int]{mu: &first}
	go func() {
		b.mu.Lock()
		x++
		b.mu.Unlock()
	}()
	first.Lock()
	x++
	first.Unlock()
}

func either[T any](c chan T) chan T {
	if len(os.Args) > 5 {
		return make(chan T, 1)
	}
	return c
}

var p int

type named struct{ c chan bool }

func channels() {
	inStruct := make(chan bool, 2)
	d := named{either(inStruct)}
	var e struct{ c chan bool }
	e.c = make(chan bool, 2)
	go func() {
		p = 1
		d.c = nil
		inStruct <- true
	}()
	go func() { e.c <- true }()
	<-inStruct
	p = 2
}

func main() {
	locks()
	channels()
}
