// A goroutine waits for the others and then closes a channel, or sends: who finds that out comes after all of them.
package main

import (
	"context"
	"sync"
	"time"
)

type pair struct{ key, value int }

// grouped counts what workers hand on.
func grouped(n int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	count := map[int]int{}
	out := make(chan pair)
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			count[i%3]++
			mu.Unlock()
			out <- pair{i, i * i}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	sum := 0
	for p := range out {
		sum += p.value
	}
	return sum + len(count) // NORACE
}

// deferred closes in a defer statement.
func deferred(n int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	out := make(chan int)
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			defer wg.Done()
			mu.Lock()
			total += i
			mu.Unlock()
			out <- i
		}()
	}
	go func() {
		defer close(out)
		wg.Wait()
	}()
	for {
		_, ok := <-out
		if !ok {
			return total // NORACE
		}
	}
}

// signalled sends when it has waited, and adds something before.
func signalled(n int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	done := make(chan bool)
	for i := 0; i < n; i++ {
		wg.Go(func() {
			mu.Lock()
			total += i
			mu.Unlock()
		})
	}
	go func() {
		wg.Wait()
		total++ // NORACE
		done <- true
	}()
	<-done
	return total // NORACE
}

// inTime gives up after a while.
func inTime(n int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			total += i
			mu.Unlock()
		}()
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return total // NORACE
	case <-time.After(time.Second):
		return -1
	}
}

// cancelled ends when the context does, or all is received.
func cancelled(ctx context.Context, n int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	out := make(chan int)
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			total++
			mu.Unlock()
			select {
			case out <- i:
			case <-ctx.Done():
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	sum := 0
	for {
		select {
		case v, ok := <-out:
			if !ok {
				return sum + total // NORACE
			}
			sum += v
		case <-ctx.Done():
			return 0
		}
	}
}

var mu sync.Mutex
var seen = map[int]bool{}

// merge is waited for by its caller.
func merge(cs ...<-chan int) <-chan int {
	var wg sync.WaitGroup
	out := make(chan int)
	forward := func(c <-chan int) {
		defer wg.Done()
		for n := range c {
			mu.Lock()
			seen[n] = true
			mu.Unlock()
			out <- n
		}
	}
	wg.Add(len(cs))
	for _, c := range cs {
		go forward(c)
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func gen(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 0; i < n; i++ {
			out <- i
		}
	}()
	return out
}

func main() {
	ctx := context.Background()
	println(grouped(3), grouped(4), deferred(3), deferred(4), signalled(3), signalled(4), inTime(3), inTime(4), cancelled(ctx, 3), cancelled(ctx, 4))
	sum := 0
	for v := range merge(gen(3), gen(4)) {
		sum += v
	}
	println(sum, len(seen)) // NORACE
}
