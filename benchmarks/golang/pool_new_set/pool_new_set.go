// The function of a sync.Pool is set by its address, to one that returns the same object always.
package main

import "sync"

type buffer struct{ n int }

var (
	only = &buffer{}
	pool sync.Pool
)

func set(to *func() any) { *to = func() any { return only } }

func work() {
	b := pool.Get().(*buffer)
	b.n++ // RACE!
	pool.Put(b)
}

func main() {
	set(&pool.New)
	go work()
	work()
}
