// Package main prints what several goroutines have: printing reads it.
package main

import (
	"fmt"
	"io"
	"os"
	"sync"
)

type config struct {
	name string
	tags []string
}

type counts struct {
	n int
	m map[string]int
}

func show(w io.Writer, c *config, k *counts) {
	fmt.Fprintf(w, "%v\n", c) // NORACE
	fmt.Fprintln(w, c.tags)   // NORACE
	fmt.Fprint(w, k)          // RACE!
}

func main() {
	c := &config{name: "a", tags: []string{"x"}}
	k := &counts{m: map[string]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			show(os.Stderr, c, k)
			if len(c.tags) > 0 { // NORACE
				fmt.Fprintln(os.Stdout, c.name) // NORACE
			}
		}()
	}
	k.n++ // RACE!
	wg.Wait()
	k.n++ // NORACE
}
