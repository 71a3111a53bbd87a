package library

import (
	"go/types"

	"whoop/frontend/golang/form"
)

// HandsOutNew reports whether all that a method returns is new: its receiver is of a type
// for concurrent use, and each result a pointer to a struct of that library that is for
// one user at a time (sql.Row). If several callers got one such object, the receiver
// would not be for concurrent use.
func (m *Models) HandsOutNew(sig *types.Signature) bool {
	if sig.Recv() == nil {
		return false
	}
	of, ok := types.Unalias(form.Deref(sig.Recv().Type())).(*types.Named)
	if !ok || !m.SafeType(of) || sig.Results().Len() == 0 {
		return false
	}
	for i := range sig.Results().Len() {
		switch t := types.Unalias(sig.Results().At(i).Type()).(type) {
		case *types.Basic:
		case *types.Pointer:
			n, ok := types.Unalias(t.Elem()).(*types.Named)
			if !ok || n.Obj().Pkg() != of.Obj().Pkg() || m.SafeType(n) || types.IsInterface(n) {
				return false
			}
		default:
			if !types.Identical(t, types.Universe.Lookup("error").Type()) {
				return false
			}
		}
	}
	return true
}

// SafeType reports whether models list a library type as one for concurrent use.
func (m *Models) SafeType(n *types.Named) bool {
	return n.Obj().Pkg() != nil && m.safe[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// StoresAny reports whether a method is of a struct of a library that keeps values of any
// type, which users have put in: a list, a ring, a heap. What it returns may be one of
// these, or lead to them, though it only reads.
func StoresAny(sig *types.Signature) bool {
	r := sig.Recv()
	if r == nil {
		return false
	}
	n, ok := types.Unalias(form.Deref(r.Type())).(*types.Named)
	return ok && hasAny(n, n.Obj().Pkg(), 0)
}

// hasAny reports whether a type of a package, or one of that package that it leads to,
// has fields of type any.
func hasAny(t types.Type, of *types.Package, depth int) bool {
	if depth > 6 {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != of {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() == 0
	case *types.Pointer:
		return hasAny(u.Elem(), of, depth+1)
	case *types.Slice:
		return hasAny(u.Elem(), of, depth+1)
	case *types.Array:
		return hasAny(u.Elem(), of, depth+1)
	case *types.Map:
		return hasAny(u.Elem(), of, depth+1) || hasAny(u.Key(), of, depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if hasAny(u.Field(i).Type(), of, depth+1) {
				return true
			}
		}
	}
	return false
}

// GivesAny reports whether a function returns values whose type is not known, such as
// those it was once given.
func GivesAny(sig *types.Signature) bool {
	for i := range sig.Results().Len() {
		if it, ok := sig.Results().At(i).Type().Underlying().(*types.Interface); ok && it.NumMethods() == 0 {
			return true
		}
	}
	return false
}

// MayBePart reports whether a result might be memory of what a function was given.
func MayBePart(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
}

// AnyGiven reports whether a function is given values whose type is not known.
func AnyGiven(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		if it, ok := sig.Params().At(i).Type().Underlying().(*types.Interface); ok && it.NumMethods() == 0 {
			return true
		}
	}
	return false
}
