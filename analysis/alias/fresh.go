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
	env map[*ir.Reg]value
	freshHeap
}

// freshHeap is what a state says of objects.
type freshHeap struct {
	pub      items           // may be published
	lent     items           // parameters that code not seen may have got (lend.go)
	outside  items           // may hold pointers to other objects than contains says
	contains [maxItems]items // what may be stored in an item's object
}

// freshIn is the state at the start of a block: of registers it has those that are live
// there (see live), in their order.
type freshIn struct {
	env []value
	freshHeap
}

// state is the same as a freshState, which takes the place of an older one that is not
// needed any more, or nil: a new map for each block was most of the time.
func (in *freshIn) state(live []*ir.Reg, old *freshState) *freshState {
	st := old
	if st == nil || len(st.env) > 8*len(live)+64 {
		st = &freshState{env: make(map[*ir.Reg]value, 2*len(live))}
	}
	clear(st.env)
	st.freshHeap = in.freshHeap
	for i, r := range live {
		if in.env[i] != topValue {
			st.env[r] = in.env[i]
		}
	}
	return st
}

// startOf is what remains of a state at the start of a block.
func (st *freshState) startOf(live []*ir.Reg) *freshIn {
	in := &freshIn{make([]value, len(live)), st.freshHeap}
	for i, r := range live {
		in.env[i] = st.reg(r)
	}
	return in
}

// reg is the value of a register.
func (st *freshState) reg(r *ir.Reg) value {
	if v, ok := st.env[r]; ok {
		return v
	}
	return topValue
}

// join adds o to the state at the start of a block and tells whether that changed.
func (in *freshIn) join(o *freshState, live []*ir.Reg) bool {
	changed := false
	for i, r := range live {
		if j := in.env[i].join(o.reg(r)); j != in.env[i] {
			in.env[i] = j
			changed = true
		}
	}
	merge := func(a *items, b items) {
		if b&^*a != 0 {
			*a |= b
			changed = true
		}
	}
	merge(&in.pub, o.pub)
	merge(&in.lent, o.lent)
	merge(&in.outside, o.outside)
	for i := range in.contains {
		merge(&in.contains[i], o.contains[i])
	}
	return changed
}

// closure adds what is stored in the objects of set.
func (st *freshHeap) closure(set items) items {
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

func (st *freshHeap) publish(v value) { st.pub |= st.closure(v.set) }

func (st *freshState) eval(e ir.Expr) value {
	switch e := e.(type) {
	case nil, ir.Null, ir.Const, ir.BoolConst:
		return value{}
	case ir.Use:
		return st.reg(e.Reg)
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
func (st *freshHeap) load(addr value) value {
	v := value{top: addr.top || addr.set&(st.pub|st.outside) != 0}
	for w := addr.set; w != 0; w &= w - 1 {
		v.set |= st.contains[bits.TrailingZeros64(uint64(w))]
	}
	return v
}

// create makes item i a new object; older ones of the same item are told from it by top.
// What older ones hold stays with the item, for it is published with these. Where they may
// be published already, it counts as published at once, and the new object is empty: what
// a loop publishes at its end, it has made anew in each iteration.
func (st *freshState) create(i int) {
	bit := items(1) << i
	if st.pub&bit != 0 {
		st.pub |= st.closure(st.contains[i])
		st.contains[i] = 0
		st.outside &^= bit
	}
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
