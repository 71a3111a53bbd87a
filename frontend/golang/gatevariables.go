package golang

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Gates (gates.go) of which the flag and the lock are variables of a function, captured
// by its closures:
//
//	var mu sync.Mutex; closed, ch := false, make(chan int)
//	stop := func() { mu.Lock(); first := !closed; closed = true; mu.Unlock(); … close(ch) }
//
// A run of the function has one of each (they are not made in a loop), and a closure gets
// all of them from one run. So what is said of a member and a lock of one object
// (gates.go) holds of two variables of one function, too, and where the lock is of an
// outer function or a package's. The channel of a run may be kept by such variables
// alone, which the lock regions of objects cannot tell: then the operations on it are
// compared here.

// namesAll reports whether a closure captures a variable under names that are the
// variable's alone.
func namesAll(m *ssa.MakeClosure, addr ssa.Value) bool {
	f := m.Fn.(*ssa.Function)
	for i, b := range m.Bindings {
		if b == addr && form.Binding(f.FreeVars[i]) != addr {
			return false
		}
	}
	return true
}

// beside is the cell of a lock that goes with a flag: in the same object, or a variable.
func (n named) beside(flag cell) cell {
	if n.isField() {
		return cell{flag.in, n}
	}
	return cell{nil, n}
}

func (n named) isField() bool {
	v, ok := n.o.(interface{ IsField() bool })
	return ok && v.IsField()
}

// outlasts reports whether there is one object of a name for each of another one: members
// of one object, a package's variable, a variable of the same function or an outer one.
func (n named) outlasts(o named) bool {
	switch {
	case n.local == nil:
		return o.isField() || !n.isField()
	case o.local == nil:
		return false
	}
	return inside(o.local.Parent(), n.local.Parent())
}

// inside reports whether a function is another one, or inside of it.
func inside(f, outer *ssa.Function) bool {
	for ; f != nil; f = f.Parent() {
		if f == outer {
			return true
		}
	}
	return false
}

// underOne is what an operation is done under.
type underOne struct {
	what named
	mode ir.Mode
}

// underWhat are the flags, locks and Onces that are one for each channel of a run, under
// which an operation on it is done.
func (g *gates) underWhat(in ssa.Instruction, op ir.Operation, m *ssa.MakeChan) []underOne {
	var out []underOne
	if _, other := in.(*ssa.Go); other { // another goroutine does it
		return nil
	}
	add := func(n named, mode ir.Mode) {
		if n.local != nil && inside(m.Parent(), n.local.Parent()) {
			out = append(out, underOne{n, mode})
		}
	}
	for _, k := range g.at(in, op) {
		if c, ok := cellOf(k.flag); ok {
			add(c.what, k.mode)
		}
	}
	if _, late := in.(*ssa.Defer); !late {
		for _, c := range g.locksBefore(in) {
			if g.remade(c.what) {
				continue
			}
			switch {
			case g.held(c, in, true):
				add(c.what, ir.Exclusive)
			case g.held(c, in, false):
				add(c.what, ir.Shared)
			}
		}
	}
	if n, ok := g.onceOf(in.Parent()); ok {
		add(n, ir.Exclusive)
	}
	return out
}

// remade reports whether a lock that is a function's variable is overwritten.
func (g *gates) remade(n named) bool {
	return n.local == nil || g.l.overwritten.isWritten(n.local, n.typ())
}

// onceOf is the Once that runs a function, and nothing else does.
func (g *gates) onceOf(f *ssa.Function) (named, bool) {
	o := g.l.once
	sites := o.Sites[f]
	if !o.Known(f) || len(sites) != 1 {
		return named{}, false
	}
	do := sites[0].Common().StaticCallee()
	if _, call := sites[0].(*ssa.Call); !call || do == nil || library.Name(do) != "(*sync.Once).Do" {
		return named{}, false
	}
	once := sites[0].Common().Args[0]
	c, ok := cellOf(once)
	return c.what, ok && !g.l.overwritten.isWritten(once, form.Deref(once.Type()))
}

// keptApart reports whether two operations on a channel of a run are done under one flag,
// lock or Once, by one of them exclusively.
func (l *localChans) keptApart(a, b chanOp) bool {
	for _, p := range a.under {
		if slices.ContainsFunc(b.under, func(q underOne) bool {
			return p.what == q.what && (p.mode == ir.Exclusive || q.mode == ir.Exclusive)
		}) {
			return true
		}
	}
	return false
}

// setOnce reports whether a store is all that sets a flag, and is executed at most once
// for each flag: so it needs no test.
func (g *gates) setOnce(st *ssa.Store, o named) bool {
	for _, other := range g.stores[o] {
		if other != st && !form.Initial(other, other.Addr) {
			return false
		}
	}
	f := st.Parent()
	return o.local != nil && o.local.Parent() == f || g.l.once.Runs(f)
}

// condition is a value that tells whether a flag was set: want where it was not.
type condition struct {
	v    ssa.Value
	want bool
}

// compared are the comparisons of a number with zero.
func (g *gates) compared(v ssa.Value, isZero bool) []condition {
	var out []condition
	for _, r := range form.Uses(v) {
		if b, ok := r.(*ssa.BinOp); ok && (isZeroFlag(b.Y) || isZeroFlag(b.X)) {
			switch b.Op {
			case token.EQL:
				out = append(out, condition{b, isZero})
			case token.NEQ:
				out = append(out, condition{b, !isZero})
			}
		}
	}
	return out
}
