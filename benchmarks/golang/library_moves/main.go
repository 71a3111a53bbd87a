// Library functions move values from one place that they are given to another: errors.As
// and errors.AsType find what an error wraps, also by a method As; slices.Insert writes to
// the array that others have; pointers to numbers are moved as those to structs are.
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

type other struct{ s *state }

func (other) Error() string { return "" }

func (o other) As(target any) bool {
	if t, ok := target.(*byValue); ok {
		t.s = o.s
		return true
	}
	return false
}

type item struct{ s *state }

func as() {
	s := new(state)
	err := fmt.Errorf("more: %w", byValue{s})
	var found byValue
	if errors.As(err, &found) {
		go func() {
			found.s.n = 1 // RACE!
		}()
	}
	s.n = 2 // RACE!
}

func asType() {
	p := &byPointer{}
	var err error = p
	if found, ok := errors.AsType[*byPointer](err); ok {
		go func() {
			found.n = 1 // RACE!
		}()
	}
	p.n = 2 // RACE!
}

func asMethod() {
	s := new(state)
	var err error = other{s}
	var found byValue
	if errors.As(err, &found) {
		go func() {
			found.s.n = 1 // RACE!
		}()
	}
	s.n = 2 // RACE!
}

func insert() {
	s := new(state)
	a := make([]item, 1, 4)
	b := a[:2]
	slices.Insert(a, 0, item{s})
	first := b[0].s
	go func() {
		first.n = 1 // RACE!
	}()
	s.n = 2 // RACE!
}

func numbers() {
	n := new(int)
	a := make([]*int, 1, 4)
	b := a[:2]
	slices.Insert(a, 0, n)
	first := b[0]
	go func() {
		*first = 1 // RACE!
	}()
	*n = 2 // RACE!
}

func main() {
	as()
	asType()
	asMethod()
	insert()
	numbers()
}
