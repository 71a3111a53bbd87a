package world

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// The state of a library's packages: variables that functions change. A function that
// returns a value of the package and uses such a variable, as the Get of a registry, is
// no mere constructor: users call it from several goroutines, as they do the others of a
// package with a lock.

// usesState reports whether a function, or one of its package that it calls, uses a
// variable of the package that is changed after the initialisation.
func (w *World) usesState(f *ssa.Function) bool {
	state := w.stateOf(f.Pkg)
	return form.WithinPackage(f, func(in ssa.Instruction) bool {
		return slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool {
			g, ok := (*op).(*ssa.Global)
			return ok && state[g]
		})
	})
}

// stateOf lists the variables of a package that are changed by its functions, or may be:
// those that are only read are left out.
func (w *World) stateOf(p *ssa.Package) map[*ssa.Global]bool {
	if s, ok := w.pkgState[p]; ok {
		return s
	}
	out := map[*ssa.Global]bool{}
	for _, f := range form.AllFunctions([]*ssa.Package{p}) {
		if f.Name() == "init" && f.Parent() == nil && f.Signature.Recv() == nil {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok && g.Pkg == p && !onlyLooks(in, g, 0) && !form.IsSyncType(form.Deref(g.Type())) {
						out[g] = true
					}
				}
			}
		}
	}
	if w.pkgState == nil {
		w.pkgState = map[*ssa.Package]map[*ssa.Global]bool{}
	}
	w.pkgState[p] = out
	return out
}

// onlyLooks reports whether an instruction only reads what is at an address, or in a map
// or slice.
func onlyLooks(in ssa.Instruction, v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	follow := func(w ssa.Value) bool {
		for _, r := range form.Uses(w) {
			if !onlyLooks(r, w, depth+1) {
				return false
			}
		}
		return true
	}
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return true
	case *ssa.UnOp:
		if _, basic := in.Type().Underlying().(*types.Basic); basic {
			return true
		}
		return in.Op == token.MUL && follow(in)
	case *ssa.FieldAddr:
		return follow(in)
	case *ssa.IndexAddr:
		return in.X == v && follow(in)
	case *ssa.Field:
		return follow(in)
	case *ssa.Lookup:
		return in.X != v || isCopied(in.Type()) || follow(in)
	case *ssa.Extract:
		return isCopied(in.Type()) || follow(in)
	case *ssa.Range:
		return follow(in)
	case *ssa.Next:
		return follow(in)
	case *ssa.MakeInterface, *ssa.TypeAssert:
		return form.IsErrorValue(in.(ssa.Value))
	case *ssa.Return, *ssa.Phi:
		return form.IsErrorValue(v)
	case *ssa.Store:
		return in.Addr != v && form.IsErrorValue(v)
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap") || form.IsErrorValue(v)
	}
	return false
}

// isCopied reports whether a value of a type is a copy that leads nowhere.
func isCopied(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}
