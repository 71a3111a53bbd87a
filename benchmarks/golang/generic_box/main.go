// A generic container.
package main

import "sync"

type box[T any] struct {
	mu sync.Mutex
	v  T
}

func (b *box[T]) set(v T) {
	b.mu.Lock()
	b.v = v // NORACE
	b.mu.Unlock()
}

func (b *box[T]) peek() T { return b.v } // NORACE

type open[T any] struct{ v T }

func (o *open[T]) set(v T) { o.v = v } // RACE!

func main() {
	b := &box[string]{}
	o := &open[int]{}
	go b.set("a")
	go o.set(1)
	b.set("b")
	o.set(2)
}
