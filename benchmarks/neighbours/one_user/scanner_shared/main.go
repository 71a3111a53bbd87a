// WANT: verify | racy | two workers take lines from one bufio.Scanner without a lock
package main

import (
	"bufio"
	"strings"
	"sync"
)

func main() {
	sc := bufio.NewScanner(strings.NewReader(strings.Repeat("some line\n", 2000)))
	var wg sync.WaitGroup
	n := make([]int, 2)
	for i := range n {
		wg.Go(func() {
			defer func() { _ = recover() }()
			for sc.Scan() { // RACE!
				n[i] += len(sc.Text())
			}
		})
	}
	wg.Wait()
}
