package bmc

import (
	"maps"
	"slices"

	"whoop/smt/bv"
)

// lockPlace is a lock: writers and readers of one are the same here.
type lockPlace struct {
	o  *object
	at int64
}

// lockOrder has, for each lock that a thread may hold while it waits for another one, the
// conditions under which it does.
type lockOrder map[[2]lockPlace][]*bv.Term

func (o lockOrder) add(held, wanted *cell, when *bv.Term) {
	e := [2]lockPlace{{held.obj, held.lo}, {wanted.obj, wanted.lo}}
	o[e] = append(o[e], when)
}

// sorted lists the pairs in the order of their locks' objects.
func (o lockOrder) sorted() [][2]lockPlace {
	before := func(p, q lockPlace) int {
		if p.o != q.o {
			return p.o.id - q.o.id
		}
		return int(p.at - q.at)
	}
	return slices.SortedFunc(maps.Keys(o), func(x, y [2]lockPlace) int {
		if c := before(x[0], y[0]); c != 0 {
			return c
		}
		return before(x[1], y[1])
	})
}

// cyclic reports whether locks are taken in orders that exclude each other.
func (o lockOrder) cyclic() bool {
	next := map[lockPlace][]lockPlace{}
	for _, e := range o.sorted() {
		next[e[0]] = append(next[e[0]], e[1])
	}
	state := map[lockPlace]int{} // 1: on the path, 2: done
	var visit func(p lockPlace) bool
	visit = func(p lockPlace) bool {
		state[p] = 1
		for _, q := range next[p] {
			if state[q] == 1 || state[q] == 0 && visit(q) {
				return true
			}
		}
		state[p] = 2
		return false
	}
	for p := range next {
		if state[p] == 0 && visit(p) {
			return true
		}
	}
	return false
}

// tangled reports whether the orders may exclude each other, when those that no execution
// of a thread by itself takes are left out.
func (d *discipline) tangled(q *query) (bool, error) {
	if !d.order.cyclic() {
		return false, nil
	}
	for _, e := range d.order.sorted() {
		can, err := q.possible(d.b.Or(d.order[e]...), nil)
		if err != nil {
			return true, err
		}
		if !can {
			delete(d.order, e)
		}
	}
	return d.order.cyclic(), nil
}
