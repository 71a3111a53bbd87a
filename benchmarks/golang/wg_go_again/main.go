// A WaitGroup of a function that runs twice is waited for before Go is called: what was waited for says nothing of what
// is started later.
package main

import "sync"

func early() {
	var wg sync.WaitGroup
	n := 0
	wg.Wait()
	wg.Go(func() {
		n++ // RACE!
	})
	n++ // RACE!
	wg.Wait()
	n++ // NORACE
}

func rounds() {
	var wg sync.WaitGroup
	n, k := 0, 0
	wg.Go(func() {
		n++ // NORACE
	})
	wg.Wait()
	n++ // NORACE
	wg.Go(func() {
		k++ // RACE!
	})
	println(k) // RACE!
	wg.Wait()
}

func main() {
	for range 2 {
		early()
		rounds()
	}
}
