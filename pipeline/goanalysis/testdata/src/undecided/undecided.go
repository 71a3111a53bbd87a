/* want package:"packages" */ // Package main has a function that is not understood.
package main

import "reflect"

func work(f func(int) int) { // want `work and work: undecided: ` `work and main: undecided: `
	g := reflect.MakeFunc(reflect.TypeOf(f), func(args []reflect.Value) []reflect.Value { return args })
	g.Call([]reflect.Value{reflect.ValueOf(1)})
}

func main() {
	go work(nil)
	go work(nil)
}
