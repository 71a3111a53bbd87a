// Package waits has goroutines that its initialisation starts and waits for, before users
// come.
package waits

import "sync"

var (
	n, m, k int
	table   = map[string]int{}
	loaded  = load()
)

func init() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		n++
	}()
	wg.Wait()
}

func init() {
	c := make(chan bool)
	go func() {
		m++
		c <- true
	}()
	<-c
}

func init() {
	c := make(chan bool)
	go func() {
		defer close(c)
		k++
	}()
	<-c
	fill()
}

func fill() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		table["a"] = 1
	}()
	wg.Wait()
}

func load() map[string]int {
	t := map[string]int{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t["a"] = 1
	}()
	<-done
	return t
}

// Sum reads what the goroutines have written.
func Sum() int { return n + m + k }

// Find reads the tables.
func Find(k string) int { return table[k] + loaded[k] }
