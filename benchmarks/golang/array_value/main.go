// Arrays are copied.
package main

func use(a [4]int) int { return a[0] + a[3] }

func main() {
	a := [4]int{1, 2, 3, 4}
	go use(a) // NORACE
	a[0] = 5  // NORACE
	println(use(a))
}
