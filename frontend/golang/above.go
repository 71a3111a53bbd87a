package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// What is above a function where a panic ends it: the functions that call it, and what
// they have deferred.

// above reports whether a function that calls f, as far as that is known, is one of some
// kind; itself: or f.
func (l *lowering) above(f *ssa.Function, itself bool, kind func(*ssa.Function) bool) bool {
	o := l.once
	seen, work := map[*ssa.Function]bool{f: true}, []*ssa.Function{f}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if (g != f || itself) && kind(g) {
			return true
		}
		next := func(h *ssa.Function) {
			if h != nil && !seen[h] {
				seen[h] = true
				work = append(work, h)
			}
		}
		for _, s := range o.Sites[g] {
			if _, other := s.(*ssa.Go); !other {
				next(s.Parent())
			}
		}
		if o.Taken[g] || o.Dynamic(g) {
			next(g.Parent()) // a library function that it is given may call it
			for _, h := range l.dynamicCallers(g) {
				next(h)
			}
		}
	}
	return false
}

// dynamicCallers lists the functions that call one by a value of its type, or a method of
// its name, and those that give functions or interfaces to libraries.
func (l *lowering) dynamicCallers(g *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, f := range l.Sources {
		if slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
				c, ok := in.(ssa.CallInstruction)
				return ok && l.mayBeCalled(c.Common(), g)
			})
		}) {
			out = append(out, f)
		}
	}
	return out
}

func (l *lowering) mayBeCalled(c *ssa.CallCommon, g *ssa.Function) bool {
	switch f := c.StaticCallee(); {
	case c.IsInvoke():
		return c.Method.Name() == g.Name()
	case f == nil:
		_, builtin := c.Value.(*ssa.Builtin)
		return !builtin && types.Identical(c.Signature().Params(), g.Signature.Params())
	case len(form.Body(f).Blocks) == 0 && g.Parent() == nil: // a library function, which may be given it
		return slices.ContainsFunc(c.Args, func(v ssa.Value) bool {
			switch v.Type().Underlying().(type) {
			case *types.Signature, *types.Interface:
				return true
			}
			return false
		})
	}
	return false
}

// defersRecover reports whether a function defers one that recovers, or may.
func defersRecover(f *ssa.Function) bool { return defersSome(f, form.CallsRecover) }

// defersOwn reports whether a function defers functions of the program, or such as are
// not known.
func defersOwn(f *ssa.Function) bool {
	return defersSome(f, func(g *ssa.Function) bool { return len(form.Body(g).Blocks) > 0 })
}

// defersSome reports whether a function defers one of some kind, or one that is not
// known.
func defersSome(f *ssa.Function, kind func(*ssa.Function) bool) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.Defer); ok {
				if g := d.Call.StaticCallee(); g == nil && !form.BuiltinValue(d.Call.Value) || g != nil && kind(g) {
					return true
				}
			}
		}
	}
	return false
}
