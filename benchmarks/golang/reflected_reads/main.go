// Something is written by reflection, or read where it lies, or by a pointer that reflection has found.
package main

import (
	"reflect"
	"sync"
)

type settings struct {
	Level int
	Name  string
	Size  int
	next  *settings
}

var current = &settings{next: &settings{}}

func set(n int64) {
	reflect.ValueOf(current).Elem().Field(0).SetInt(n) // RACE!
}

func level() int { return current.Level } // RACE!

func value() any {
	return reflect.ValueOf(current).Elem().Field(2).Interface() // RACE!
}

func grow() { current.Size++ } // RACE!

// follow reads a pointer that is written elsewhere.
func follow() bool {
	return reflect.ValueOf(current).Elem().FieldByName("next").Elem().IsValid() // RACE!
}

func advance() { current.next = &settings{} } // RACE!

// find writes by a pointer that reflection hands out.
func find() {
	if s, ok := reflect.ValueOf(current).Interface().(*settings); ok {
		s.Name = "x" // RACE!
	}
}

// deeper finds a part by its address.
func deeper() {
	if p, ok := reflect.ValueOf(current).Elem().Field(1).Addr().Interface().(*string); ok {
		*p = "y" // RACE!
	}
}

func main() {
	var wg sync.WaitGroup
	for _, f := range []func(){func() { set(2) }, func() { level() }, func() { value() }, grow, func() { follow() }, advance, find, deeper} {
		wg.Go(f)
	}
	wg.Wait()
}
