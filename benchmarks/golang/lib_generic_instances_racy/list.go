// Package list has a generic type, instances of it, and functions that use these without
// the lock that its methods take.
package list

import "sync"

// List is safe for concurrent use.
type List[T any] struct {
	mu sync.Mutex
	vs []T
	n  func() int
}

// Add appends a value.
func (l *List[T]) Add(v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vs = append(l.vs, v) // RACE!
}

// Count is a function of the constructor's.
func (l *List[T]) Count() int { return l.n() }

// NewNames makes an instance.
func NewNames() *List[string] {
	l := &List[string]{}
	l.n = func() int { return len(l.vs) } // RACE!
	return l
}

// Std is for all.
var Std List[int]

// Sum adds the values of Std.
func Sum() (n int) {
	for _, v := range Std.vs { // RACE!
		n += v
	}
	return n
}

// First is a function of an instance.
func First(l *List[float64]) float64 {
	return l.vs[0] // RACE!
}

// Len is a generic function.
func Len[T any](l *List[T]) int {
	return len(l.vs) // RACE!
}
