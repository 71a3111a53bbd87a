// The body of a loop over an iterator function is a closure.
package main

var total int

func each(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func sum() {
	for v := range each(3) {
		total += v // RACE!
	}
}

func main() {
	go sum()
	sum()
}
