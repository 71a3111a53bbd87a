package form

import (
	"go/types"
)

// Renamed reports whether two types are identical but for the names of type parameters.
func Renamed(a, b types.Type) bool {
	a, b = types.Unalias(a), types.Unalias(b)
	switch a := a.(type) {
	case *types.TypeParam:
		return IsParam(b)
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && Renamed(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && Renamed(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := b.(*types.Array)
		return ok && a.Len() == b.Len() && Renamed(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := b.(*types.Map)
		return ok && Renamed(a.Key(), b.Key()) && Renamed(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := b.(*types.Chan)
		return ok && a.Dir() == b.Dir() && Renamed(a.Elem(), b.Elem())
	case *types.Tuple:
		b, ok := b.(*types.Tuple)
		return ok && allRenamed(a.Len(), b.Len(), func(i int) bool { return Renamed(a.At(i).Type(), b.At(i).Type()) })
	case *types.Signature:
		b, ok := b.(*types.Signature)
		return ok && a.Variadic() == b.Variadic() && Renamed(a.Params(), b.Params()) && Renamed(a.Results(), b.Results())
	case *types.Struct:
		b, ok := b.(*types.Struct)
		return ok && allRenamed(a.NumFields(), b.NumFields(), func(i int) bool {
			f, g := a.Field(i), b.Field(i)
			return sameField(f, g) && a.Tag(i) == b.Tag(i) && Renamed(f.Type(), g.Type())
		})
	case *types.Named:
		b, ok := b.(*types.Named)
		return ok && a.Origin() == b.Origin() && allRenamed(a.TypeArgs().Len(), b.TypeArgs().Len(), func(i int) bool {
			return Renamed(a.TypeArgs().At(i), b.TypeArgs().At(i))
		})
	}
	return types.Identical(a, b)
}

// sameField reports whether members of two structs have one name.
func sameField(f, g *types.Var) bool {
	return f.Embedded() == g.Embedded() && f.Id() == g.Id()
}

// MayBeOne reports whether two types may be identical once their type parameters have been
// given types: []V and []string may, and so may *N[V] and *N[[]W]. What type parameters
// allow is not asked.
func MayBeOne(a, b types.Type) bool {
	a, b = types.Unalias(a), types.Unalias(b)
	if IsParam(a) || IsParam(b) {
		return true
	}
	switch a := a.(type) {
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && MayBeOne(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && MayBeOne(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := b.(*types.Array)
		return ok && a.Len() == b.Len() && MayBeOne(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := b.(*types.Map)
		return ok && MayBeOne(a.Key(), b.Key()) && MayBeOne(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := b.(*types.Chan)
		return ok && a.Dir() == b.Dir() && MayBeOne(a.Elem(), b.Elem())
	case *types.Tuple:
		b, ok := b.(*types.Tuple)
		return ok && allRenamed(a.Len(), b.Len(), func(i int) bool { return MayBeOne(a.At(i).Type(), b.At(i).Type()) })
	case *types.Signature:
		b, ok := b.(*types.Signature)
		return ok && a.Variadic() == b.Variadic() && MayBeOne(a.Params(), b.Params()) && MayBeOne(a.Results(), b.Results())
	case *types.Struct:
		b, ok := b.(*types.Struct)
		return ok && allRenamed(a.NumFields(), b.NumFields(), func(i int) bool {
			return sameField(a.Field(i), b.Field(i)) && a.Tag(i) == b.Tag(i) && MayBeOne(a.Field(i).Type(), b.Field(i).Type())
		})
	case *types.Named:
		b, ok := b.(*types.Named)
		if !ok || a.Origin().Obj().Pos() != b.Origin().Obj().Pos() {
			return false // a generic function declares a type for each instance
		}
		m, n := a.TypeArgs(), b.TypeArgs()
		return m.Len() == 0 || n.Len() == 0 || allRenamed(m.Len(), n.Len(), func(i int) bool { return MayBeOne(m.At(i), n.At(i)) })
	case *types.Interface:
		_, ok := b.(*types.Interface)
		return ok // not looked into
	}
	return types.Identical(a, b)
}

// StandsFor reports whether a type parameter may stand for a type: that has the methods
// that it asks for. For other types it is true.
func StandsFor(p, t types.Type) bool {
	if !IsParam(p) {
		return true
	}
	it, ok := p.Underlying().(*types.Interface)
	if !ok || IsParam(t) {
		return true
	}
	has := types.NewMethodSet(t)
	for m := range it.Methods() {
		if has.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return true
}

func allRenamed(n, m int, same func(i int) bool) bool {
	for i := range n {
		if n != m || !same(i) {
			return false
		}
	}
	return n == m
}
