// One type may be written in several ways: with any or interface{}, byte or uint8, an alias,
// and struct types without a name as often as one likes. What is done to it by one of these
// names is done to it by all.
package main

import (
	"os"
	"reflect"
	"sync"
	"unsafe"
)

type number = int

type box[T any] struct {
	mu *sync.Mutex
	v  T
}

var first, second sync.Mutex

func aliased(b *box[number]) { b.mu = &second }

func empty(b *box[any]) { b.mu = &second }

func unnamed(b *struct {
	mu *sync.Mutex
	v  uint8
}) {
	b.mu = &second
}

var x, y, z int

func locks() {
	a := &box[int]{mu: &first}
	aliased(a)
	go func() {
		a.mu.Lock()
		x++ // RACE!
		a.mu.Unlock()
	}()
	first.Lock()
	x++ // RACE!
	first.Unlock()

	b := &box[interface{}]{mu: &first}
	empty(b)
	go func() {
		b.mu.Lock()
		y++ // RACE!
		b.mu.Unlock()
	}()
	first.Lock()
	y++ // RACE!
	first.Unlock()

	c := &struct {
		mu *sync.Mutex
		v  byte
	}{mu: &first}
	unnamed(c)
	go func() {
		c.mu.Lock()
		z++ // RACE!
		c.mu.Unlock()
	}()
	first.Lock()
	z++ // RACE!
	first.Unlock()
}

// either is a channel that nobody knows by name.
func either[T any](c chan T) chan T {
	if len(os.Args) > 5 {
		return make(chan T, 1)
	}
	return c
}

var p, q, r, s int

func channels() {
	inStruct := make(chan bool, 2)
	var d, e struct{ c chan bool }
	d.c = either(inStruct)
	e = d
	go func() {
		p = 1 // RACE!
		inStruct <- true
	}()
	go func() { e.c <- true }()
	<-inStruct
	p = 2 // RACE!

	inAny := make(chan number, 2)
	var i any = either(inAny)
	go func() {
		q = 1 // RACE!
		inAny <- 1
	}()
	go func() { i.(chan int) <- 1 }()
	<-inAny
	q = 2 // RACE!

	inMemory := make(chan string, 2)
	m := either(inMemory)
	n := *(*chan string)(unsafe.Pointer(&m))
	go func() {
		r = 1 // RACE!
		inMemory <- ""
	}()
	go func() { n <- "" }()
	<-inMemory
	r = 2 // RACE!

	found := make(chan rune, 2)
	in := &struct{ C chan rune }{either(found)}
	o := reflect.ValueOf(in).Elem().Field(0).Interface().(chan rune)
	go func() {
		s = 1 // RACE!
		found <- 1
	}()
	go func() { o <- 1 }()
	<-found
	s = 2 // RACE!
}

func main() {
	locks()
	channels()
}
