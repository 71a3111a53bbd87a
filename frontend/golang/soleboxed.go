package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// soleBoxed is the one value of a pointer type that the program puts into interfaces:
// whatever becomes of it in other modules, what comes back with that type is it. It is
// nil where there are several, or some that are not known; other modules make none,
// unless they are given the type itself. So a lock in a service that was registered is
// one lock.
func (l *lowering) soleBoxed(t types.Type) ir.Expr {
	if l.Exact || l.LibraryMode || l.Modules == nil || l.Modules.World == nil || !form.IsPointer(t) {
		return nil
	}
	k, _ := form.OpenKey(t)
	if e, ok := l.soles[k]; ok {
		return e
	}
	if l.soles == nil {
		l.soles = map[string]ir.Expr{}
	}
	l.soles[k] = l.findSole(t)
	return l.soles[k]
}

func (l *lowering) findSole(t types.Type) ir.Expr {
	if slices.ContainsFunc(l.Boxes, form.IsParam) {
		return nil
	}
	var out ir.Expr
	for _, f := range l.Sources {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case ssa.CallInstruction:
					if g := in.Common().StaticCallee(); g != nil && slices.ContainsFunc(g.TypeArgs(), func(a types.Type) bool { return mentions(a, t, 0) }) {
						return nil
					}
				case *ssa.MakeInterface:
					if !form.MayBeOne(in.X.Type(), t) {
						continue
					}
					e := l.Known(in.X)
					if e == nil || l.mayBeNil(in.X) || out != nil && ir.ExprString(e) != ir.ExprString(out) {
						return nil
					}
					out = e
				}
			}
		}
	}
	return out
}

// mentions reports whether a type has the struct in it that a pointer type points to.
func mentions(a, t types.Type, depth int) bool {
	if types.Identical(a, t) || types.Identical(a, form.Deref(t)) || depth == maxGifts {
		return true
	}
	switch u := a.Underlying().(type) {
	case *types.Pointer:
		return mentions(u.Elem(), t, depth+1)
	case *types.Slice:
		return mentions(u.Elem(), t, depth+1)
	case *types.Map:
		return mentions(u.Key(), t, depth+1) || mentions(u.Elem(), t, depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if mentions(u.Field(i).Type(), t, depth+1) {
				return true
			}
		}
	}
	return false
}
