// A loop over an integer that has more iterations than the WaitGroup counts.
package main

import "sync"

const workers = 4

var parts [workers]int
var twice [workers]int

func main() {
	var wg sync.WaitGroup
	wg.Add(workers - 1)
	for i := range workers {
		go func() {
			if i > 0 {
				defer wg.Done()
			}
			parts[i] = i // RACE!
		}()
	}
	wg.Wait()
	println(parts[0]) // RACE!

	var second sync.WaitGroup
	second.Add(2 * workers)
	for range 2 {
		for i := range workers {
			go func() {
				twice[i]++ // RACE!
				second.Done()
			}()
		}
	}
	second.Wait()
}
