package main

import "sync"

type box struct {
	mu sync.Mutex
	n  int
}

type nested struct{ boxes [2]box }

type fine struct {
	mu *sync.Mutex
	bs []box
	m  map[string]*box
}

type generic[T any] struct {
	v  T
	wg sync.WaitGroup
}

func param(b box) {} // WANT lock-copy the parameter b is passed by value

func (b box) value() {} // WANT lock-copy the receiver b is passed by value

func (b *box) pointer() {}

func pointers(b *box, f fine, bs []box, l sync.Locker) fine { return f }

func result(b *box) box {
	return *b // WANT lock-copy this return copies a box, which contains a sync.Mutex
}

func fresh() box { return box{n: 1} }

func newBox() *box { return &box{} }

func typed[T any](g *generic[T]) {
	h := *g // WANT lock-copy a generic[T], which contains a sync.WaitGroup
	_ = h.v
}

func main() {
	var a box
	b := a // WANT lock-copy this assignment copies a box
	b.pointer()
	_ = a
	c := fresh()
	c = box{}
	c = *newBox()
	p := &c
	*p = a          // WANT lock-copy this assignment copies
	var q, r = a, 1 // WANT lock-copy this variable is a copy of a box
	q.n = r
	n := nested{}
	m := n // WANT lock-copy a nested, which contains a sync.Mutex
	m.boxes[0].n++
	lit := struct{ b box }{a} // WANT lock-copy this literal copies
	lit.b.n++
	for _, x := range n.boxes { // WANT lock-copy this range clause copies
		x.n++
	}
	for i := range n.boxes {
		n.boxes[i].n++
	}
	var mu sync.Mutex
	func(m sync.Mutex) {}(mu) // WANT lock-copy the parameter m is passed by value, a copy of a sync.Mutex: // WANT lock-copy this argument is a copy of a sync.Mutex:
	var ch chan box
	ch <- a // WANT lock-copy this send copies
	println(len(n.boxes), cap(ch))
	bs := append([]box(nil), a) // WANT lock-copy this argument is a copy
	pointers(&a, fine{}, bs, &mu)
	typed(&generic[int]{})
	var any any = a // WANT lock-copy this variable is a copy
	_ = any
}
