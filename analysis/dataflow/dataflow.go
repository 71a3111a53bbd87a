package dataflow

import (
	"container/heap"
	"fmt"
)

// Lattice is a join-semilattice with a least element. Its laws: Join is associative,
// commutative and idempotent, and Join(Bottom(), x) = x. Values are never changed in
// place.
type Lattice[T any] interface {
	// Bottom is the value of what cannot be reached.
	Bottom() T
	Join(a, b T) T
	Equal(a, b T) bool
}

// Forward solves a forward problem: the value at the start of every node that order
// lists. Nodes are visited in that order as far as possible. Values emitted for nodes
// that are not in order are dropped.
func Forward[N comparable, T any](order []N, l Lattice[T], entry N, initial T, step func(N, T, func(N, T))) map[N]T {
	index := make(map[N]int, len(order))
	in := make(map[N]T, len(order))
	for i, n := range order {
		index[n] = i
		in[n] = l.Bottom()
	}
	var work queue
	queued := make([]bool, len(order))
	emit := func(n N, v T) {
		i, ok := index[n]
		if !ok {
			return
		}
		joined := l.Join(in[n], v)
		if l.Equal(joined, in[n]) {
			return
		}
		in[n] = joined
		if !queued[i] {
			queued[i] = true
			heap.Push(&work, i)
		}
	}
	emit(entry, initial)
	for len(work) > 0 {
		i := heap.Pop(&work).(int)
		queued[i] = false
		step(order[i], in[order[i]], emit)
	}
	return in
}

// queue is a heap of positions in the order.
type queue []int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(int)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// LessEqual is the order of the lattice: a joined with b is b.
func LessEqual[T any](l Lattice[T], a, b T) bool { return l.Equal(l.Join(a, b), b) }

// CheckLaws tests the laws of l on all pairs and triples of the samples.
func CheckLaws[T any](l Lattice[T], samples []T) error {
	for _, a := range samples {
		if !l.Equal(l.Join(a, a), a) {
			return fmt.Errorf("join of %v with itself is %v", a, l.Join(a, a))
		}
		if !l.Equal(l.Join(l.Bottom(), a), a) {
			return fmt.Errorf("join of bottom and %v is %v", a, l.Join(l.Bottom(), a))
		}
		for _, b := range samples {
			ab := l.Join(a, b)
			if !l.Equal(ab, l.Join(b, a)) {
				return fmt.Errorf("join of %v and %v depends on the order", a, b)
			}
			for _, c := range samples {
				if !l.Equal(l.Join(ab, c), l.Join(a, l.Join(b, c))) {
					return fmt.Errorf("join of %v, %v and %v is not associative", a, b, c)
				}
			}
		}
	}
	return nil
}

// CheckMonotone tests that f keeps the order on all pairs of the samples.
func CheckMonotone[T any](l Lattice[T], samples []T, f func(T) T) error {
	for _, a := range samples {
		for _, b := range samples {
			if LessEqual(l, a, b) && !LessEqual(l, f(a), f(b)) {
				return fmt.Errorf("%v is below %v, but %v is not below %v", a, b, f(a), f(b))
			}
		}
	}
	return nil
}
