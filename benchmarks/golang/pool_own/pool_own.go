// Objects of a sync.Pool are whose who has got them, until they are put back.
package main

import "sync"

type scratch struct {
	used  int
	sums  [8]int
	first string
}

var scratches = sync.Pool{New: func() any { return &scratch{first: "new"} }}

// deferred puts it back at the end.
func deferred(xs []int) int {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.used++ // NORACE
	for i, x := range xs {
		s.sums[i%8] += x // NORACE
	}
	return s.sums[0] // NORACE
}

// branches puts it back on some paths only.
func branches(n int) {
	s := scratches.Get().(*scratch)
	if s.used > 100 { // NORACE
		return
	}
	s.reset()
	if n > 0 {
		s.first = "some" // NORACE
	}
	scratches.Put(s)
}

func (s *scratch) reset() {
	*s = scratch{} // NORACE
}

type lazy struct{ n int }

var lazies sync.Pool

// made: the pool has no function, who finds it empty makes one.
func made() int {
	l, ok := lazies.Get().(*lazy)
	if !ok {
		l = &lazy{n: 1}
	}
	l.n++ // NORACE
	n := l.n
	lazies.Put(l)
	return n
}

func main() {
	for range 3 {
		go deferred([]int{1, 2})
		go branches(1)
		go made()
	}
	println(deferred(nil), made())
}
