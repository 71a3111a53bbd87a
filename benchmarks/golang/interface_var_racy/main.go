// An interface variable is written and read.
package main

var err error

type myErr struct{}

func (myErr) Error() string { return "x" }

func main() {
	go func() { err = myErr{} }() // RACE!
	if err != nil {               // RACE!
		println("failed")
	}
}
