// A function starts a goroutine and returns a closure that waits for it. What both capture is one run's: whoever calls the closure of a
// run comes after the goroutine of that run.
package main

import (
	"context"
	"errors"
	"sync"
)

func byChannel() func() int {
	n, done := 0, make(chan struct{})
	go func() {
		n = 1 // NORACE
		close(done)
	}()
	return func() int {
		<-done
		return n // NORACE
	}
}

func byGroup() func() int {
	a, b := 0, 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		a = 1 // NORACE
	}()
	go func() {
		b = 2 // NORACE
		wg.Done()
	}()
	return func() int {
		wg.Wait()
		return a + b // NORACE
	}
}

// byStop cancels, waits and reads what the goroutine has counted.
func byStop(ctx context.Context) func() (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	rounds, done := 0, make(chan struct{})
	var err error
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			rounds++ // NORACE
		}
		err = errors.New("stopped") // NORACE
	}()
	return func() (int, error) {
		cancel()
		<-done
		return rounds, err // NORACE
	}
}

// byRange has two closures that wait, and a goroutine that sends more than once after it has written.
func byRange() (func() string, func() bool) {
	var text string
	ch := make(chan int, 3)
	go func() {
		text = "done" // NORACE
		for i := range 3 {
			ch <- i
		}
		close(ch)
	}()
	first := func() string {
		for range ch {
		}
		return text // NORACE
	}
	second := func() bool {
		select {
		case <-ch:
			return text == "done" // NORACE
		default:
			return false
		}
	}
	return first, second
}

// byMap waits for what the goroutine puts into a map.
func byMap(keys []string) func(string) int {
	lengths, ready := map[string]int{}, make(chan struct{})
	go func() {
		for _, k := range keys {
			lengths[k] = len(k) // NORACE
		}
		close(ready)
	}()
	return func(k string) int {
		<-ready
		return lengths[k] // NORACE
	}
}

// use runs them in two goroutines.
func use(wg *sync.WaitGroup) {
	defer wg.Done()
	w := byChannel()
	println(w(), byGroup()())
	println(byStop(context.Background())())
	f, g := byRange()
	println(f(), g(), byMap([]string{"a"})("a"))
	go func() { println(w()) }()
}

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go use(&wg)
	go use(&wg)
	wg.Wait()
}
