// Command reflected_closure calls a function that was returned by one that package reflect
// called.
package main

import (
	"reflect"
	"sync"
)

var total int

func adder() func() { return func() { total++ } } // RACE!

func main() {
	var wg sync.WaitGroup
	a := reflect.ValueOf(adder)
	wg.Add(1)
	go func() {
		defer wg.Done()
		a.Call(nil)[0].Call(nil)
	}()
	total++ // RACE!
	wg.Wait()
	println(total)
}
