// A sync.Pool whose function always returns the same object.
package main

import "sync"

type one struct{ n int }

var (
	only = &one{}
	ones = sync.Pool{New: func() any { return only }}
)

func work() {
	o := ones.Get().(*one)
	o.n++ // RACE!
	ones.Put(o)
}

func main() {
	go work()
	work()
}
