package bmc

import (
	"errors"
	"runtime"
	"sync"
	"testing"
)

// Panics that are recovered from, and goroutines that end themselves.

func safely(f func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			ok = false
		}
	}()
	f()
	return true
}

func half(n int) (int, error) {
	if n%2 != 0 {
		panic(errors.New("odd"))
	}
	return n / 2, nil
}

// What the callers of a function that panics have deferred runs.
// want: none
func TestRecover(t *testing.T) {
	var mu sync.Mutex
	n := 0
	done := make(chan bool)
	go func() {
		done <- safely(func() {
			mu.Lock()
			defer mu.Unlock()
			n, _ = half(3)
		})
	}()
	if <-done {
		t.Fatal("it must have panicked")
	}
	mu.Lock()
	defer mu.Unlock()
	if n != 0 {
		t.Fatal("n was written")
	}
	if !safely(func() { n, _ = half(4) }) || n != 2 {
		t.Fatal("it must not have panicked")
	}
}

// want: none
func TestRecoverFromRuntime(t *testing.T) {
	var m map[string]int
	var p *int
	var e any = "text"
	xs, c := []int{1}, make(chan int)
	close(c)
	for i, f := range []func(){
		func() { m["a"] = 1 }, func() { *p = 1 }, func() { xs[len(xs)] = 1 }, func() { close(c) }, func() { c <- 1 }, func() { _ = e.(int) },
	} {
		if safely(f) {
			t.Fatal("no panic", i)
		}
	}
}

// A deferred function that panics replaces the panic; the error that was handed to panic is what recover returns.
// want: none
func TestRecoverValue(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	value := func(f func()) (r any) {
		defer func() { r = recover() }()
		f()
		return nil
	}
	if value(func() { panic(first) }) != first {
		t.Fatal("another value")
	}
	if value(func() { defer func() { panic(second) }(); panic(first) }) != second {
		t.Fatal("not replaced")
	}
	if value(func() { defer func() { recover() }(); panic(first) }) != nil {
		t.Fatal("recovered before")
	}
	if value(func() { defer func() { _ = value(func() {}) }(); panic(first) }) != first {
		t.Fatal("recovered by a function that was not deferred for it")
	}
}

// The lock stays locked.
// want: deadlock 0
func TestRecoverWithoutUnlock(t *testing.T) {
	var mu sync.Mutex
	safely(func() {
		mu.Lock()
		_, _ = half(1)
		mu.Unlock()
	})
	mu.Lock()
}

// want: panic 0
func TestPanicAgain(t *testing.T) {
	done := make(chan int)
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				panic(r)
			}
		}()
		_, _ = half(1)
	}()
	<-done
}

// want: race 1
func TestRecoverRace(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if !safely(func() { _, _ = half(i) }) {
				n++
				return
			}
			n--
		})
	}
	wg.Wait()
}

// A Once whose function has panicked is done.
// want: none
func TestOncePanics(t *testing.T) {
	var once sync.Once
	f := func() { once.Do(func() { _, _ = half(1) }) }
	if safely(f) || !safely(f) {
		t.Fatal("once")
	}
}

// want: none
func TestGoexit(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() {
			if recover() != nil {
				n = 3
			}
		}()
		n = 1
		func() { runtime.Goexit() }()
		n = 2
	}()
	wg.Wait()
	if n != 1 {
		t.Fatal("it went on")
	}
}

func mustBe(t *testing.T, n int) {
	t.Helper()
	if n != 1 {
		t.Fatal("another number")
	}
}

// A test that a function ends does not go on.
// want: assert 0
func TestFatalInHelper(t *testing.T) {
	n := 2
	mustBe(t, n)
	panic("after the end")
}

// Defer statements in loops: the last that was deferred runs first.
// want: none
func TestDeferInLoop(t *testing.T) {
	var mus [2]sync.Mutex
	x := 0
	f := func() {
		for i := range mus {
			mus[i].Lock()
			defer mus[i].Unlock()
		}
		x++
	}
	done := make(chan struct{})
	go func() { f(); close(done) }()
	f()
	<-done
	if x != 2 {
		t.Error(x)
	}
}

// want: none
func TestDeferInLoopOrder(t *testing.T) {
	order := 0
	step := func(want int) {
		if order != want {
			t.Error("out of order")
		}
		order++
	}
	f := func(n int) {
		defer step(3)
		for i := range 2 {
			if n == i {
				return
			}
			defer func(k int) { step(2 - k) }(i)
		}
		defer step(0)
	}
	f(2)
	if order != 4 {
		t.Error("not all of them ran")
	}
	order = 2
	f(1)
	if order != 4 {
		t.Error("not both of them ran")
	}
}

// want: assert 0
func TestDeferInLoopPanics(t *testing.T) {
	ran := 0
	safely(func() {
		for i := range 2 {
			defer func() { ran++ }()
			if i == 1 {
				panic("second")
			}
		}
	})
	if ran == 2 {
		t.Error("both ran")
	}
}

// want: deadlock 1
func TestDeferInLoopDeadlock(t *testing.T) {
	var a, b sync.Mutex
	both := func(ms ...*sync.Mutex) {
		for _, m := range ms {
			m.Lock()
			defer m.Unlock()
		}
	}
	done := make(chan bool)
	go func() { both(&a, &b); done <- true }()
	both(&b, &a)
	<-done
}

func deferring(n int) (r int) {
	defer func() {
		if e := recover(); e != nil {
			r = r*10 + e.(int)
		}
	}()
	for i := 0; ; i++ {
		if i == n {
			defer func() { r = r*10 + 9 }()
			break
		}
		defer func() { r = r*10 + i }()
		defer func(k int) { r = r*10 + k }(i + 3)
	}
	if n == 1 {
		panic(7)
	}
	return 1
}

// What is deferred last runs first, also where it is deferred after a loop.
// want: none
func TestDeferStatementsInLoop(t *testing.T) {
	if deferring(1) != 9307 || deferring(2) != 194130 {
		t.Error("another order")
	}
}
