// What a list of the library hands out is what was put in: the two goroutines have one object.
package main

import (
	"container/list"
	"container/ring"
)

type job struct{ n, m int }

func main() {
	a, b := &job{}, &job{}
	l := list.New()
	l.PushBack(a)
	first := l.Front().Value.(*job)
	r := ring.New(1)
	r.Value = b
	next := r.Next().Value.(*job)
	done := make(chan bool)
	go func() {
		first.n = 1 // RACE!
		next.n = 1  // RACE!
		done <- true
	}()
	go func() {
		a.n = 2 // RACE!
		b.n = 2 // RACE!
		a.m = 2 // NORACE
		done <- true
	}()
	<-done
	<-done
	println(a.n, b.n, a.m) // NORACE
}
