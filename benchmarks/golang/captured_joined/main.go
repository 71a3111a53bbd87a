// Two captured variables to which one pointer may point are not one after the other.
package main

import "os"

var racy int

func f(second bool) {
	x := 1
	y := 2
	p := &x
	if second {
		p = &y
	}
	go func() { println(y) }()
	if *p == 1 {
		racy++ // RACE!
	}
}

func main() {
	go f(len(os.Args) > 5)
	f(len(os.Args) > 5)
}
