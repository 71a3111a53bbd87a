// A pointer to an array is shared.
package main

func use(a *[4]int) { a[0]++ } // RACE!

func main() {
	a := &[4]int{}
	go use(a)
	use(a)
}
