// break and continue with labels around a lock.
package main

import "sync"

var mu sync.Mutex
var hits, misses int

func scan(rows [][]int) {
outer:
	for _, r := range rows {
		for _, v := range r {
			mu.Lock()
			if v < 0 {
				mu.Unlock()
				continue outer
			}
			hits++ // NORACE
			mu.Unlock()
			if v == 9 {
				misses++ // RACE!
				break outer
			}
		}
	}
}

func main() {
	rows := [][]int{{1, 2}, {3, 9}}
	go scan(rows)
	scan(rows)
}
