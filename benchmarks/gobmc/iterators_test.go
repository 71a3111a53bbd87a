package bmc

import (
	"iter"
	"testing"
)

// Iterators whose values are pulled.

type tree struct{ n int }

func (t *tree) all(yield func(int) bool) {
	t.n++
	if yield(5) {
		yield(6)
	}
}

// want: none
func TestPull(t *testing.T) {
	tr := &tree{}
	next, stop := iter.Pull(tr.all)
	v, ok := next()
	tr.n++
	if w, more := next(); v != 5 || !ok || w != 6 || !more || tr.n != 2 {
		t.Error("values")
	}
	stop()
	if _, ok := next(); ok {
		t.Error("goes on")
	}
}

// want: race 1
func TestPullUnlocked(t *testing.T) {
	tr := &tree{}
	next, stop := iter.Pull(tr.all)
	done := make(chan bool)
	go func() {
		next()
		stop()
		close(done)
	}()
	tr.n = 2
	<-done
}
