// A sync.Pool that is embedded, and used by an interface.
package main

import "sync"

type buffer struct{ n int }

type buffers struct{ sync.Pool }

type putter interface{ Put(any) } // RACE: of a type that is not there

var pool = &buffers{}

func work(p putter) {
	b, ok := pool.Get().(*buffer)
	if !ok {
		b = &buffer{}
	}
	b.n++ // RACE!
	p.Put(b)
	b.n = 0 // RACE!
}

func main() {
	for range 3 {
		go work(pool)
	}
	work(pool)
}
