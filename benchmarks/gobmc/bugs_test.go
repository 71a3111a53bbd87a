// Package bmc has small tests with bugs that only some schedules show, and their repaired twins. The comment above each
// test says what "whoop bmc . --root NAME" answers: a kind of bug and its preemptions, or nothing.
package bmc

import (
	"sync"
	"testing"
)

// want: assert 1, race 1
func TestLostUpdate(t *testing.T) {
	n := 0
	done := make(chan bool)
	for range 2 {
		go func() {
			n++
			done <- true
		}()
	}
	<-done
	<-done
	if n != 2 {
		t.Errorf("n is %d", n)
	}
}

// want: none
func TestLostUpdateRepaired(t *testing.T) {
	n := 0
	var mu sync.Mutex
	done := make(chan bool)
	for range 2 {
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			done <- true
		}()
	}
	<-done
	<-done
	if n != 2 {
		t.Errorf("n is %d", n)
	}
}

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) get() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
}

// want: assert 1
func TestCheckThenAct(t *testing.T) {
	a := &account{balance: 100}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if a.get() >= 100 {
				a.add(-100)
			}
		}()
	}
	wg.Wait()
	if a.get() < 0 {
		t.Fatal("overdrawn")
	}
}

// want: none
func TestCheckThenActRepaired(t *testing.T) {
	a := &account{balance: 100}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.balance >= 100 {
				a.balance -= 100
			}
		}()
	}
	wg.Wait()
	if a.get() < 0 {
		t.Fatal("overdrawn")
	}
}

// want: deadlock 1
func TestTwoMutexes(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	wg.Wait()
}

// want: none
func TestTwoMutexesRepaired(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}()
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	wg.Wait()
}

// want: deadlock 0
func TestMutexAndChannel(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		c <- 1
	}()
	mu.Lock()
	<-c
	mu.Unlock()
}

// want: none
func TestMutexAndChannelRepaired(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		mu.Unlock()
		c <- 1
	}()
	<-c
	mu.Lock()
	mu.Unlock()
}

// want: panic 1, race 1
func TestSendOnClosed(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	close(c)
}

// want: none
func TestSendOnClosedRepaired(t *testing.T) {
	c := make(chan int, 1)
	go func() {
		c <- 1
		close(c)
	}()
	for v := range c {
		if v != 1 {
			t.Error("something else")
		}
	}
}

// want: assert 0, race 1
func TestWaitGroupMisuse(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	go func() {
		wg.Add(1)
		n = 1
		wg.Done()
	}()
	wg.Wait()
	if n != 1 {
		t.Error("the goroutine has not run")
	}
}

// want: none
func TestWaitGroupMisuseRepaired(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		n = 1
		wg.Done()
	}()
	wg.Wait()
	if n != 1 {
		t.Error("the goroutine has not run")
	}
}

type worker struct{ results chan int }

// want: deadlock 0
func TestNilChannel(t *testing.T) {
	w := &worker{}
	go func() { w.results <- 1 }()
	<-w.results
}

// want: none
func TestNilChannelRepaired(t *testing.T) {
	w := &worker{results: make(chan int)}
	go func() { w.results <- 1 }()
	if <-w.results != 1 {
		t.Error("something else")
	}
}

var shared *worker

// want: panic 1, race 1
func TestNilUntilSet(t *testing.T) {
	done := make(chan bool)
	go func() {
		<-shared.results
		done <- true
	}()
	shared = &worker{results: make(chan int, 1)}
	shared.results <- 1
	<-done
}
