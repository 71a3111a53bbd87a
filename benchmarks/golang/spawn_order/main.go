// What is written before the go statement is not concurrent.
package main

func main() {
	x := 1 // NORACE
	y := 2 // NORACE
	go func() {
		println(x, y) // RACE!
	}()
	x = 3 // RACE!
}
