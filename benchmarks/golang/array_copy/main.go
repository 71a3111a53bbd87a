// Command array_copy copies an array that is written, which reads it, and goes through the indices of another one, which does not.
package main

var copied, indexed [3]int

func main() {
	go func() {
		copied[1] = 1 // RACE!
		indexed[1] = 1
	}()
	c := copied // RACE!
	_ = c
	for i := range indexed {
		_ = i
	}
}
