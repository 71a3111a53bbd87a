// The comparison runs in its caller.
package main

import "sort"

var calls int

func main() {
	xs := []int{3, 1, 2}
	sort.Slice(xs, func(i, j int) bool {
		calls++ // NORACE
		return xs[i] < xs[j]
	})
	println(calls) // NORACE
}
