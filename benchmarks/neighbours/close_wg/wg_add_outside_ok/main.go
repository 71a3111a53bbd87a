// WANT: verify | race-free | Add before go; a running goroutine, that is counted itself,
// adds more
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type walker struct {
	wg sync.WaitGroup
	n  atomic.Int64
}

func (w *walker) walk(depth int) {
	defer w.wg.Done()
	w.n.Add(1)
	if depth == 0 {
		return
	}
	w.wg.Add(2) // NORACE
	go w.walk(depth - 1)
	go w.walk(depth - 1)
}

func main() {
	w := &walker{}
	w.wg.Add(1) // NORACE
	go w.walk(3)
	w.wg.Wait() // NORACE
	fmt.Println(w.n.Load())
}
