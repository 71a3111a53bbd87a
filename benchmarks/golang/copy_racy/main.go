// copy reads one slice and writes another.
package main

var src = make([]int, 4)

func main() {
	go func() {
		dst := make([]int, 4)
		copy(dst, src) // RACE!
	}()
	src[1] = 2 // RACE!
}
