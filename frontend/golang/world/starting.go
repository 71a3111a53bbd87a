package world

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// What starts goroutines before users call anything. Rule: a package is a program of its
// own, with its initialisation as an entry, where the initialisation may start something:
// it may execute a go statement, or give a function, or a value with methods, to a library
// that may run it later. Argument: what may run is overestimated. It is all functions with
// bodies that are named there or in what is named there, and, at a call through an
// interface, all methods of that name. A call of a function value calls one that is named
// somewhere, or one that users gave; these come later than the initialisation.
//
// Users run beside such goroutines. One of them alone may read what they write. So the
// exported functions and methods that name a variable which goroutines may change, or
// which they may read and others change, are called at the end of the initialisation, as
// those are that leave something behind (setup.go): the goroutines run then.

// initStarts reports whether the initialisation of a package, with that of those which it
// imports, may start something.
func (w *World) initStarts(p *ssa.Package) bool {
	return p.Func("init") != nil && slices.ContainsFunc(w.mayRun(p.Func("init")), w.starts)
}

// mayRun lists the functions with bodies that a run of some may enter, themselves
// included, also in other goroutines.
func (w *World) mayRun(fs ...*ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	seen := map[*ssa.Function]bool{}
	add := func(f *ssa.Function) {
		if f = form.Body(f); len(f.Blocks) > 0 && !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	for _, f := range fs {
		add(f)
	}
	for i := 0; i < len(out); i++ {
		eachInstruction(out[i], func(in ssa.Instruction) {
			for _, op := range in.Operands(nil) {
				if f, ok := (*op).(*ssa.Function); ok {
					add(f)
				}
			}
			if c, ok := in.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
				for _, m := range w.methodsLike(c.Common().Method) {
					add(m)
				}
			}
		})
	}
	return out
}

func eachInstruction(f *ssa.Function, do func(ssa.Instruction)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			do(in)
		}
	}
}

// starts reports whether a function by itself starts something, or may have a library do
// so.
func (w *World) starts(f *ssa.Function) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, w.startsAt) })
}

// startsAt is starts for an instruction.
func (w *World) startsAt(in ssa.Instruction) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if _, is := in.(*ssa.Go); is {
		return true
	}
	f := c.Common().StaticCallee()
	var o *types.Func
	switch {
	case c.Common().IsInvoke():
		o = c.Common().Method
	case f == nil || len(form.Body(f).Blocks) > 0:
		return false
	default:
		o, _ = f.Object().(*types.Func)
	}
	if o == nil || w.Own[o.Pkg()] {
		return false
	}
	var op library.Op
	if m := w.Models.ByName(library.MethodName(o)); m != nil {
		op = m.Op
	} else {
		op = w.Models.EffectOf(o)
	}
	switch op {
	case library.OpGo, library.OpUnknown:
		return true
	case library.OpTouch, library.OpOthers:
		return slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return carriesCode(v.Type(), 0) })
	}
	return false
}

// carriesCode reports whether values of a type are functions, or have methods that a
// library may call, or consist of such.
func carriesCode(t types.Type, depth int) bool {
	if depth > MaxStarted {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() && carriesCode(f.Type(), depth+1) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return carriesCode(u.Elem(), depth+1)
	}
	return false
}

// besideGoroutines lists the variables of packages that goroutines, or what starts them,
// may use, and that functions change: those of all packages where it is not known which
// functions a goroutine calls.
func (w *World) besideGoroutines() map[*ssa.Global]bool {
	changed := w.state()
	var starters []*ssa.Function
	for _, f := range w.Sources {
		if w.starts(f) {
			starters = append(starters, f)
		}
	}
	out := map[*ssa.Global]bool{}
	for _, f := range w.mayRun(starters...) {
		anything := false
		eachInstruction(f, func(in ssa.Instruction) {
			if c, ok := in.(ssa.CallInstruction); ok && c.Common().StaticCallee() == nil &&
				!c.Common().IsInvoke() && !form.BuiltinValue(c.Common().Value) {
				anything = true
			}
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Global); ok && changed[g] {
					out[g] = true
				}
			}
		})
		if anything {
			return changed
		}
	}
	return out
}

// uses reports whether a run of a function may use one of some variables.
func (w *World) uses(f *ssa.Function, vars map[*ssa.Global]bool) bool {
	return len(vars) > 0 && slices.ContainsFunc(w.mayRun(f), func(g *ssa.Function) bool {
		found := false
		eachInstruction(g, func(in ssa.Instruction) {
			found = found || slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool {
				v, ok := (*op).(*ssa.Global)
				return ok && vars[v]
			})
		})
		return found
	})
}
