// Package reflect writes to what it is given the address of, and calls functions and methods.
package main

import (
	"reflect"
	"sync"
)

type counter struct{ n int }

func (c *counter) Inc() {
	c.n++ // RACE!
}

type named struct{ text string }

func main() {
	var x, called int
	at := reflect.ValueOf(&x).Elem()
	f := reflect.ValueOf(func() {
		called++ // RACE!
	})
	c := &counter{}
	m := map[int]int{}
	s := []int{1, 2}
	swap := reflect.Swapper(s) // RACE!
	only := &named{"x"}

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		at.SetInt(2) // RACE!
		f.Call(nil)
		reflect.ValueOf(c).MethodByName("Inc").Call(nil)                       // RACE!
		reflect.ValueOf(m).SetMapIndex(reflect.ValueOf(1), reflect.ValueOf(2)) // RACE!
		swap(0, 1)                                                             // UNSEEN: reported where the function was made, in line 26
		_ = reflect.ValueOf(only).Elem().Field(0).String()
		_ = reflect.TypeOf(only)
	}()
	x = 2      // RACE!
	called = 2 // RACE!
	c.n = 2    // RACE!
	_ = m[1]   // RACE!
	_ = s[0]   // RACE!
	_ = reflect.ValueOf(only).Elem().NumField()
	wg.Wait()
}
