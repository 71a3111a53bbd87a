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
			return f.Origin() == g.Origin() && a.Tag(i) == b.Tag(i) && Renamed(f.Type(), g.Type())
		})
	case *types.Named:
		b, ok := b.(*types.Named)
		return ok && a.Origin() == b.Origin() && allRenamed(a.TypeArgs().Len(), b.TypeArgs().Len(), func(i int) bool {
			return Renamed(a.TypeArgs().At(i), b.TypeArgs().At(i))
		})
	}
	return types.Identical(a, b)
}

func allRenamed(n, m int, same func(i int) bool) bool {
	for i := range n {
		if n != m || !same(i) {
			return false
		}
	}
	return n == m
}
