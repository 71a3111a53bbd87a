// What library functions move is used by one goroutine, or read.
package main

import (
	"errors"
	"fmt"
	"slices"
)

type state struct{ n int }

type byValue struct{ s *state }

func (byValue) Error() string { return "" }

type byPointer struct{ n int }

func (*byPointer) Error() string { return "" }

type item struct{ s *state }

func as() int {
	s := new(state)
	s.n = 2
	err := fmt.Errorf("more: %w", byValue{s})
	var found byValue
	if errors.As(err, &found) {
		go func() { println(found.s.n) }()
	}
	return s.n
}

func asType() int {
	p := &byPointer{}
	p.n = 2
	var err error = p
	if found, ok := errors.AsType[*byPointer](err); ok {
		go func() { println(found.n) }()
	}
	return p.n
}

func insert() {
	a := make([]item, 1, 4)
	b := a[:2]
	slices.Insert(a, 0, item{new(state)})
	first := b[0].s
	if first != nil {
		first.n = 2
	}
	go func() { println(first.n) }()
}

func main() {
	as()
	asType()
	insert()
}
