package bmc

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func rest(s []int, i int) []int { return s[i:] }

// want: none
func TestSliceBounds(t *testing.T) {
	if len(rest([]int{1, 2, 3}, 3)) != 0 {
		t.Fatal("not empty")
	}
}

// want: panic 0
func TestSliceTooShort(t *testing.T) {
	rest([]int{1, 2, 3}, 4)
}

// want: panic 0
func TestSliceNegative(t *testing.T) {
	n := -1
	_ = make([]int, n)
}

// want: panic 0
func TestDivideByZero(t *testing.T) {
	a, b := 0, 5
	_ = b % a
}

type hooks struct {
	mu *sync.Mutex
	f  func()
}

// want: panic 0
func TestNilFunction(t *testing.T) {
	var h hooks
	h.f()
}

// want: panic 0
func TestNilMutex(t *testing.T) {
	var h hooks
	h.mu.Lock()
}

// want: panic 0
func TestAtomicValueTypes(t *testing.T) {
	var v atomic.Value
	done := make(chan bool)
	go func() {
		v.Store(1)
		close(done)
	}()
	v.Store("a")
	<-done
}

type inner struct {
	sync.Mutex
	n int
}

type outer struct {
	*inner
	m int
}

// want: none
func TestPromotedLock(t *testing.T) {
	o := outer{inner: &inner{}}
	done := make(chan bool)
	go func() {
		o.Lock()
		o.m++
		o.n++
		o.Unlock()
		close(done)
	}()
	o.Lock()
	o.n++
	o.Unlock()
	<-done
	if o.m != 1 || o.n != 2 {
		t.Error("wrong")
	}
}

// want: none
func TestPrintPointer(t *testing.T) {
	n := 0
	done := make(chan bool)
	go func() {
		fmt.Println(&n)
		close(done)
	}()
	n++
	<-done
}

// want: race 1
func TestJoinReads(t *testing.T) {
	words := []string{"a", "b"}
	done := make(chan bool)
	go func() {
		_ = strings.Join(words, ",")
		close(done)
	}()
	words[0] = "c"
	<-done
}

// want: race 1
func TestSkippedDeferred(t *testing.T) {
	n := 0
	done := make(chan bool)
	defer func() {
		n++
		<-done
	}()
	go func() {
		n++
		close(done)
	}()
	t.SkipNow()
}
