// The goroutine counts down before it is done; main adds after it has started one.
package main

import "sync/atomic"

var (
	busy, left    atomic.Int32
	first, second [4]int
)

func one(i int) {
	busy.Add(-1)
	first[i] = i // RACE!
}

func two(i int) {
	second[i] = i // RACE!
	left.Add(-1)
}

func main() {
	for i := range 4 {
		busy.Add(1)
		go one(i)
	}
	for busy.Load() != 0 {
	}
	for i := range 4 {
		go two(i)
		if i > 0 {
			left.Add(1)
		}
	}
	for left.Load() > 0 {
	}
	println(first[0], second[0]) // RACE!
}
