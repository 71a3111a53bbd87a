package alias

import (
	"math/bits"

	"whoop/ir"
)

// This file finds accesses to memory that no other thread can know yet: objects a
// function has just allocated and not published. It is a forward must-analysis within a
// function, with summaries of what callees do with their parameters.
//
// A function's items are its allocations, the calls that return a fresh object, and its
// pointer parameters, each of those twice: the object, and what can be reached from it. A
// register's value is a set of items and "top": it may also point elsewhere. No value
// that lacks an item points to that item's object while it is unpublished.

// items is a set of item numbers.
type items uint64

const maxItems = 63

// value says what a register may point to: the objects of the items in set and, if top,
// others.
type value struct {
	set items
	top bool
}

var topValue = value{top: true}

func (v value) join(w value) value { return value{v.set | w.set, v.top || w.top} }

// freshState is the state at a point of a function. Registers that are not in env are
// top.
type freshState struct {
	env      map[*ir.Reg]value
	pub      items           // may be published
	outside  items           // may hold pointers to other objects than contains says
	contains [maxItems]items // what may be stored in an item's object
}

func (st *freshState) clone() *freshState {
	c := *st
	c.env = make(map[*ir.Reg]value, len(st.env))
	for r, v := range st.env {
		c.env[r] = v
	}
	return &c
}

// join adds o to st and tells whether st changed.
func (st *freshState) join(o *freshState) bool {
	changed := false
	for r, v := range st.env {
		w, ok := o.env[r]
		if !ok {
			w = topValue
		}
		if j := v.join(w); j != v {
			st.env[r] = j
			changed = true
		}
	}
	for r, w := range o.env {
		if _, ok := st.env[r]; !ok && w.set != 0 {
			st.env[r] = value{w.set, true}
			changed = true
		}
	}
	merge := func(a *items, b items) {
		if b&^*a != 0 {
			*a |= b
			changed = true
		}
	}
	merge(&st.pub, o.pub)
	merge(&st.outside, o.outside)
	for i := range st.contains {
		merge(&st.contains[i], o.contains[i])
	}
	return changed
}

// closure adds what is stored in the objects of set.
func (st *freshState) closure(set items) items {
	for {
		next := set
		for w := set; w != 0; w &= w - 1 {
			next |= st.contains[bits.TrailingZeros64(uint64(w))]
		}
		if next == set {
			return set
		}
		set = next
	}
}

func (st *freshState) publish(v value) { st.pub |= st.closure(v.set) }

func (st *freshState) eval(e ir.Expr) value {
	switch e := e.(type) {
	case nil, ir.Null, ir.Const, ir.BoolConst:
		return value{}
	case ir.Use:
		if v, ok := st.env[e.Reg]; ok {
			return v
		}
		return topValue
	case ir.FieldAddr:
		return st.eval(e.Base)
	case ir.IndexAddr:
		v := st.eval(e.Base)
		if v == (value{}) { // a number that is an address, perhaps
			v.set = st.eval(e.Idx).set
		}
		return v // arithmetic stays in the object of the base (assumption memory-safety)
	case ir.Cast:
		v := st.eval(e.X)
		if ir.IsPtr(e.T) && ir.IsInt(e.X.Type()) && v.set == 0 {
			v.top = true
		}
		return v
	case ir.Select:
		return st.eval(e.X).join(st.eval(e.Y))
	case ir.Unary:
		return value{st.eval(e.X).set, true}
	case ir.Binary:
		return value{st.eval(e.X).set | st.eval(e.Y).set, true}
	}
	return topValue
}

// load returns what may be read through addr.
func (st *freshState) load(addr value) value {
	v := value{top: addr.top || addr.set&(st.pub|st.outside) != 0}
	for w := addr.set; w != 0; w &= w - 1 {
		v.set |= st.contains[bits.TrailingZeros64(uint64(w))]
	}
	return v
}

// create makes item i a new object; older ones of the same item are told from it by top.
func (st *freshState) create(i int) {
	bit := items(1) << i
	for r, v := range st.env {
		if v.set&bit != 0 && !v.top {
			st.env[r] = value{v.set, true}
		}
	}
	for x := range st.contains {
		if st.contains[x]&bit != 0 {
			st.outside |= 1 << x
		}
	}
	st.pub &^= bit
}
