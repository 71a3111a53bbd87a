// Objects of a sync.Pool are nobody else's.
package main

import "sync"

type buf struct{ b []byte }

var pool = sync.Pool{New: func() any { return &buf{} }}

func work() {
	b := pool.Get().(*buf)
	b.b = append(b.b, 1) // NORACE
	pool.Put(b)
}

func main() {
	go work()
	work()
}
