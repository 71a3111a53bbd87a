// WANT: verify | racy | an atomic.Value holds a slice; the writer appends in place to
// what readers hold
package atomic_value

import "sync/atomic"

// List is safe for concurrent use.
type List struct{ v atomic.Value }

// New makes a list with room.
func New() *List {
	l := &List{}
	l.v.Store(make([]int, 1, 64))
	return l
}

// SetFirst changes the first element.
func (l *List) SetFirst(n int) {
	s := l.v.Load().([]int)
	s[0] = n // RACE!
	l.v.Store(s)
}

// Sum adds up.
func (l *List) Sum() (sum int) {
	for _, n := range l.v.Load().([]int) { // RACE!
		sum += n
	}
	return sum
}
