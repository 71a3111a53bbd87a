// A method value carries its receiver.
package main

type acc struct{ n int }

func (a *acc) add() { a.n++ } // RACE!

func main() {
	a := &acc{}
	f := a.add
	go f()
	f()
}
