// A pointer that is converted to one of another struct type leads to the same object: its
// members are written by other names.
package main

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

type task struct {
	mu *sync.Mutex
	n  int
}

type job struct {
	mu *sync.Mutex
	n  int
}

var first, second sync.Mutex

var x, y, z int

func converted() {
	t := &task{mu: &first}
	j := (*job)(t)
	j.mu = &second
	go func() {
		t.mu.Lock()
		x++ // RACE!
		t.mu.Unlock()
	}()
	first.Lock()
	x++ // RACE!
	first.Unlock()
}

type step struct {
	mu *sync.Mutex
	n  int
}

func defined() {
	s := &step{mu: &first}
	(*struct {
		mu *sync.Mutex
		n  int
	})(s).mu = &second
	go func() {
		s.mu.Lock()
		y++ // RACE!
		s.mu.Unlock()
	}()
	first.Lock()
	y++ // RACE!
	first.Unlock()
}

type part struct{ mu *sync.Mutex }

func unsafely() {
	p := &part{mu: &first}
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&p.mu)), unsafe.Pointer(&second))
	go func() {
		p.mu.Lock()
		z++ // RACE!
		p.mu.Unlock()
	}()
	first.Lock()
	z++ // RACE!
	first.Unlock()
}

func main() {
	converted()
	defined()
	unsafely()
}
