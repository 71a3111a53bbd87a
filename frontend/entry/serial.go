package entry

import (
	"slices"

	"whoop/ir"
)

// oneAtATime notes of handlers that the kernel runs once at a time for each object (work
// items, timers) which parameter is that object. Where an object is registered in what
// may run again, it must be one that has just been made: to initialise a work item a
// second time, while it is queued or runs, lets it run twice.
func (x *inferrer) oneAtATime() {
	if x.p.NotUnderstood() != nil { // which may register anything
		return
	}
	var binds *ir.Bindings
	for _, e := range x.p.Entries {
		k, ok := x.objectOf(e)
		if !ok {
			continue
		}
		if binds == nil {
			binds = ir.BindingsOf(x.p)
		}
		if binds.Closed(e.Func) && x.madeOnce(binds, e.Func, k) {
			e.Serial = []int{k}
			x.p.Assume("serial-handler", e.Pos, "%s (%s) does not run twice at a time for one object: an object is registered once before it is freed", e.Name, e.Kind)
		}
	}
}

// objectOf is the parameter in which an entry gets the object that it is registered with,
// of which the kernel runs it once at a time.
func (x *inferrer) objectOf(e *ir.Entry) (int, bool) {
	found := -1
	for _, r := range x.roles[e.Func] {
		k := -1
		if r.table != nil && r.notSelf {
			if n, ok := r.table.Self[r.member]; ok {
				k = n
			}
		} else if in, ok := r.site.(*ir.Register); ok && r.table == nil && x.m.CallbackKinds[r.kind].NotSelf {
			if m := x.m.Func(in.API); m != nil {
				k = slices.Index(m.Params, "obj")
			}
		}
		if k < 0 || found >= 0 && k != found || k >= len(e.Func.Params) || !ir.IsPtr(e.Func.Params[k].Type) {
			return 0, false
		}
		found = k
	}
	return found, found >= 0
}

// madeOnce reports whether each instruction that registers f is run by init entries
// alone, or registers what its function has just allocated, as parameter k.
func (x *inferrer) madeOnce(binds *ir.Bindings, f *ir.Func, k int) bool {
	again := map[*ir.Func]bool{}
	for _, e := range x.p.Entries {
		if e.Func != nil && !e.Init {
			for g := range x.cg.reachable(e.Func) {
				again[g] = true
			}
		}
	}
	for g, in := range x.p.Instrs() {
		bd := binds.At(in)
		if bd == nil || bd.Fn == nil || !mayBe(bd, f) {
			continue
		}
		if again[g] && (k >= len(bd.Args) || bd.Args[k] == nil || !madeHere(g, bd.Args[k])) {
			return false
		}
	}
	return true
}

// mayBe reports whether a binding may register f.
func mayBe(b *ir.Binding, f *ir.Func) bool {
	if fn, ok := b.Fn.(ir.FuncAddr); ok {
		return fn.Func == f
	}
	return b.Binds(f)
}

// madeHere reports whether an address lies in an object that f allocates, outside of
// loops that would register it again: it is read from a variable that is assigned once,
// the allocation.
func madeHere(f *ir.Func, addr ir.Expr) bool {
	for {
		switch e := addr.(type) {
		case ir.FieldAddr:
			addr = e.Base
		case ir.IndexAddr:
			addr = e.Base
		case ir.Cast:
			addr = e.X
		case ir.Use:
			switch in := ir.Definition(f, e.Reg).(type) {
			case *ir.Alloc:
				return in.Kind == "heap"
			case *ir.Assign:
				addr = in.X
			default:
				return false
			}
		default:
			return false
		}
	}
}
