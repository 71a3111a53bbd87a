// Who has been told that a goroutine is over may tell others: stages, a goroutine that waits in the place of all, one that is started
// after a wait.
package main

import "sync"

// stages tells by a chain of channels.
func stages() int {
	x := 0
	first, second := make(chan struct{}), make(chan struct{})
	go func() {
		x = 1 // NORACE
		close(first)
	}()
	go func() {
		<-first
		close(second)
	}()
	<-second
	return x // NORACE
}

// readers are told by one that has waited for the group.
func readers() {
	x := 0
	var wg, all sync.WaitGroup
	done := make(chan struct{})
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // NORACE
	}()
	go func() {
		wg.Wait()
		close(done)
	}()
	for range 3 {
		all.Add(1)
		go func() {
			defer all.Done()
			<-done
			println(x) // NORACE
		}()
	}
	all.Wait()
}

// rounds has two rounds of one group.
func rounds() int {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // NORACE
	}()
	wg.Wait()
	wg.Add(1)
	go func() {
		defer wg.Done()
		x++ // NORACE
	}()
	wg.Wait()
	return x // NORACE
}

// twice is counted twice.
func twice() int {
	x := 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		x = 1 // NORACE
		wg.Done()
	}()
	wg.Wait()
	return x // NORACE
}

// begun starts a goroutine when the first has told.
func begun() {
	x := 0
	told, end := make(chan int, 1), make(chan struct{})
	go func() {
		x = 1 // NORACE
		told <- 1
	}()
	<-told
	go func() {
		x++ // NORACE
		close(end)
	}()
	<-end
	println(x) // NORACE
}

func all(wg *sync.WaitGroup) {
	defer wg.Done()
	println(stages(), rounds(), twice())
	readers()
	begun()
}

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go all(&wg)
	go all(&wg)
	wg.Wait()
}
