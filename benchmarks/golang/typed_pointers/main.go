// Pointers that take detours: conversions between types of one structure, interfaces, type parameters, library objects
// that keep them, unsafe.Pointer. Wherever one comes out, it leads to where it led.
package main

import (
	"context"
	"reflect"
	"sync/atomic"
	"unsafe"
)

type a struct {
	n    int
	next *a
}

type b a

// c has the size of a, and as many members.
type c struct {
	n    int
	next *c
}

type holder[T any] struct {
	v    *T
	more []*T
}

func (h *holder[T]) get() *T   { return h.v }
func (h *holder[T]) first() *T { return h.more[0] }

type counter interface{ inc() }

func (x *a) inc() { x.n++ } // RACE!
func (x *b) inc() { x.n++ } // RACE!

type key struct{}

type pair struct{ x, y int }

// converted: one object by its type, and by another one of its structure.
func converted() {
	x := &a{}
	var i counter = x
	var k counter = (*b)(x)
	go i.inc()
	go k.inc()
}

func interfaces() {
	x := &a{}
	var i any = x
	go func() { i.(*a).n = 1 }() // RACE!
	go func() { x.n = 2 }()      // RACE!
}

func generic() {
	x := &a{}
	h := &holder[a]{v: x, more: []*a{x}}
	go func() { h.get().n = 1 }()   // RACE!
	go func() { h.first().n = 2 }() // RACE!
}

func punned() {
	x := &a{}
	y := (*c)(unsafe.Pointer(x))
	go func() { x.n = 1 }() // RACE!
	go func() { y.n = 2 }() // RACE!
}

// punnedTwice: the memory that a pointer lies in is taken for that of a pointer to another type.
func punnedTwice() {
	x, z := &a{}, &a{}
	x.next = z
	at := (**c)(unsafe.Pointer(&x.next))
	y := *at
	go func() { z.n = 1 }() // RACE!
	go func() { y.n = 2 }() // RACE!
}

// stored: what is stored as another type is found as what it is declared to be.
func stored() {
	x, z := &a{}, &c{}
	*(**c)(unsafe.Pointer(&x.next)) = z
	go func() { x.next.n = 1 }() // RACE!
	go func() { z.n = 2 }()      // RACE!
}

func atomics() {
	x := &a{}
	var p atomic.Pointer[a]
	var v atomic.Value
	var u unsafe.Pointer
	p.Store(x)
	v.Store(x)
	atomic.StorePointer(&u, unsafe.Pointer(x))
	go func() { p.Load().n = 1 }()                     // RACE!
	go func() { v.Load().(*a).n = 2 }()                // RACE!
	go func() { (*a)(atomic.LoadPointer(&u)).n = 3 }() // RACE!
}

func library() {
	x := &a{}
	ctx := context.WithValue(context.Background(), key{}, x)
	r := reflect.ValueOf(x).Interface().(*a)
	go func() { x.n = 1 }()                     // RACE!
	go func() { ctx.Value(key{}).(*a).n = 2 }() // RACE!
	go func() { r.n = 3 }()                     // RACE!
}

func arrays() {
	s := make([]pair, 2)
	p := (*[2]pair)(s)
	q := unsafe.Slice(&s[0].x, 2)
	go func() { s[1].y = 1 }() // RACE!
	go func() { p[1].y = 2 }() // RACE!
	go func() { q[1] = 3 }()   // RACE!
	go func() { s[0].y = 4 }() // RACE!
}

// copies: the structs are others, what they point to is not.
func copies() {
	x := a{next: &a{}}
	y := b(x)
	var i any = y
	go func() { x.next.n = 1 }()          // RACE!
	go func() { i.(b).next.n = 2 }()      // RACE!
	go func() { i.(b).next.next = nil }() // NORACE
}

func main() {
	converted()
	interfaces()
	generic()
	punned()
	punnedTwice()
	stored()
	atomics()
	library()
	arrays()
	copies()
}
