// A function variable is called while it is replaced.
package main

var hook = func() {}

func main() {
	go func() { hook() }()         // RACE!
	hook = func() { println("x") } // RACE!
}
