// A goroutine waits for others and then closes a channel, or sends, which tells less than all that the receiver takes it for.
package main

import "sync"

// late counts one more when the closer waits already.
func late() int {
	var wg sync.WaitGroup
	a, b := 0, 0
	done, go_ := make(chan bool), make(chan bool)
	wg.Add(1)
	go func() { a++; wg.Done() }() // NORACE
	go func() { wg.Wait(); close(done); close(go_) }()
	<-go_
	wg.Add(1)
	go func() { b++; wg.Done() }() // RACE!
	<-done
	return a + b // RACE!
}

// after goes on when it has closed.
func after() int {
	var wg sync.WaitGroup
	a := 0
	done := make(chan bool)
	wg.Add(1)
	go func() { a++; wg.Done() }()              // NORACE
	go func() { wg.Wait(); close(done); a++ }() // RACE!
	<-done
	return a // RACE!
}

// broken does not receive all.
func broken() int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	out := make(chan int, 10)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out <- i
			mu.Lock()
			total += i // RACE!
			mu.Unlock()
		}()
	}
	go func() { wg.Wait(); close(out) }()
	for v := range out {
		if v == 2 {
			break
		}
	}
	return total // RACE!
}

// both find it closed.
func both() {
	var wg, readers sync.WaitGroup
	a := 0
	done := make(chan bool)
	wg.Add(1)
	go func() { a++; wg.Done() }() // NORACE
	go func() { wg.Wait(); close(done) }()
	for range 2 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			<-done
			a++ // RACE!
		}()
	}
	readers.Wait()
}

// other receives what another goroutine has sent.
func other() int {
	var wg sync.WaitGroup
	a := 0
	done := make(chan bool, 2)
	wg.Add(1)
	go func() { a++; wg.Done() }() // RACE!
	go func() { wg.Wait(); done <- true }()
	go func() { done <- false }()
	<-done
	return a // RACE!
}

var impatient = true

// early closes without waiting.
func early() int {
	var wg sync.WaitGroup
	a := 0
	done := make(chan bool)
	wg.Add(1)
	go func() { a++; wg.Done() }() // RACE!
	go func() {
		defer close(done)
		if impatient {
			return
		}
		wg.Wait()
	}()
	<-done
	return a // RACE!
}

func main() {
	println(late(), after(), broken(), other(), early())
	both()
}
