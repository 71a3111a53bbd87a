// Package list has a generic type, instances of it, and functions that use these with
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
	l.vs = append(l.vs, v)
}

// Count is a function of the constructor's.
func (l *List[T]) Count() int { return l.n() }

// NewNames makes an instance.
func NewNames() *List[string] {
	l := &List[string]{}
	l.n = func() int { l.mu.Lock(); defer l.mu.Unlock(); return len(l.vs) }
	return l
}

// Std is for all.
var Std List[int]

// Sum adds the values of Std.
func Sum() (n int) {
	Std.mu.Lock()
	defer Std.mu.Unlock()
	for _, v := range Std.vs {
		n += v
	}
	return n
}

// First is a function of an instance.
func First(l *List[float64]) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.vs[0]
}

// Len is a generic function.
func Len[T any](l *List[T]) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.vs)
}
