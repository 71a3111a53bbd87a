// A callback given to a goroutine writes a captured variable.
package main

func each(xs []int, f func(int)) {
	for _, x := range xs {
		f(x)
	}
}

func main() {
	sum := 0
	go each([]int{1, 2}, func(x int) { sum += x }) // RACE!
	each([]int{3, 4}, func(x int) { sum -= x })    // RACE!
}
