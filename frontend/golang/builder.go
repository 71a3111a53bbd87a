package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// builds reports whether a type is a builder: each exported method returns the receiver,
// so that calls of several make a chain, or a value of another type of the package; and
// one that returns the receiver writes it. New(10).LRU().Build() is for one goroutine, as
// types are that say nothing else, even where a member leads to something with a lock.
func (l *lowering) builds(p *ssa.Package, t *types.Named) bool {
	sets := false
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		f, ok := m.Obj().(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		body := l.prog.FuncValue(f)
		switch {
		case body == nil:
			return false
		case returnsReceiver(body):
			sets = sets || writesReceiver(body)
		case !makesOther(f.Signature(), p, t):
			return false
		}
	}
	return sets
}

// returnsReceiver reports whether a method returns its receiver, and nothing else.
func returnsReceiver(f *ssa.Function) bool {
	if len(f.Params) == 0 || len(f.Blocks) == 0 || f.Signature.Results().Len() != 1 {
		return false
	}
	found := false
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			r, ok := in.(*ssa.Return)
			if !ok {
				continue
			}
			if !sameReceiver(r.Results[0], f) {
				return false
			}
			found = true
		}
	}
	return found
}

// sameReceiver reports whether a value is the receiver of f, or what a method that
// returns its receiver makes of it.
func sameReceiver(v ssa.Value, f *ssa.Function) bool {
	if v == f.Params[0] {
		return true
	}
	c, ok := v.(*ssa.Call)
	if !ok || len(c.Call.Args) == 0 || c.Call.Args[0] != f.Params[0] {
		return false
	}
	g := c.Call.StaticCallee()
	return g != nil && g != f && returnsReceiver(g)
}

// writesReceiver reports whether a method stores something in a member of its receiver.
func writesReceiver(f *ssa.Function) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			s, ok := in.(*ssa.Store)
			if !ok {
				return false
			}
			a, ok := s.Addr.(*ssa.FieldAddr)
			return ok && a.X == f.Params[0]
		})
	})
}

// makesOther reports whether a function returns a value of a type of the package other
// than t.
func makesOther(sig *types.Signature, p *ssa.Package, t *types.Named) bool {
	return slices.ContainsFunc(componentTypes(sig.Results()), func(r types.Type) bool {
		n, ok := types.Unalias(deref(r)).(*types.Named)
		return ok && n.Obj().Pkg() == p.Pkg && n.Origin() != t.Origin()
	})
}
