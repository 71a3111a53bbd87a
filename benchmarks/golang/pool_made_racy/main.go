// As pool_made, but the constructor keeps what it makes, or gives out what is there, or the object is used when it has been put back.
package main

import "sync"

type kept struct{ n int }

var last *kept

func newKept() *kept {
	k := &kept{}
	last = k // RACE!
	return k
}

var keeps = sync.Pool{New: func() any { return newKept() }}

func take() int {
	k := keeps.Get().(*kept)
	k.n++ // RACE!
	keeps.Put(k)
	return 1
}

func peek() int {
	if last != nil { // RACE!
		last.n++ // RACE!
	}
	return 1
}

type one struct{ n int }

var only = &one{}

func some(fresh bool) *one {
	if fresh {
		return &one{}
	}
	return only
}

var ones = sync.Pool{New: func() any { return some(false) }}

func use() {
	o := ones.Get().(*one)
	o.n++ // RACE!
	ones.Put(o)
}

type late struct{ n int }

func newLate() *late { return &late{} }

var lates = sync.Pool{New: func() any { return newLate() }}

func after() {
	l := lates.Get().(*late)
	lates.Put(l)
	l.n++ // RACE!
}

func main() {
	for range 3 {
		go func() { println(take(), peek()) }()
		go use()
		go after()
	}
	use()
}
