// A string variable is two words.
package main

var name string

func main() {
	go func() { name = "alice" }() // RACE!
	println(name)                  // RACE!
}
