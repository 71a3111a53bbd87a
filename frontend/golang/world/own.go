package world

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// RunAnyway are the entry points, the constructors that are known already, and the other
// functions that make what users get.
func (w *World) RunAnyway(roots []Root) map[*ssa.Function]bool {
	out := map[*ssa.Function]bool{}
	for _, r := range roots {
		out[r.Fn] = true
	}
	for _, fs := range w.Ctors {
		for _, f := range fs {
			out[f] = true
		}
	}
	for _, f := range w.MakerFuncs(roots) {
		out[f] = true
	}
	return out
}

// Callable reports whether users can name a function: an exported one, or an exported
// method of an exported type.
func (w *World) Callable(f *ssa.Function) bool {
	o := f.Object()
	if o == nil || !o.Exported() || f.Parent() != nil {
		return false
	}
	recv := f.Signature.Recv()
	if recv == nil {
		return true
	}
	n, ok := types.Unalias(form.Deref(recv.Type())).(*types.Named)
	return !ok || n.Obj().Exported()
}

// TypeSet is a set of types, generic ones by their origin.
type TypeSet struct{ names map[string]bool }

func (s *TypeSet) Add(t types.Type) {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[form.OriginKey(t)] = true
}

func (s *TypeSet) Has(t types.Type) bool { return s.names[form.OriginKey(t)] }

// AddAll adds a type and the structs in its values.
func (s *TypeSet) AddAll(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if s.Has(t) {
			return
		}
		s.Add(t)
		for i := range u.NumFields() {
			s.AddAll(u.Field(i).Type())
		}
	case *types.Array:
		s.AddAll(u.Elem())
	case *types.Slice:
		s.AddAll(u.Elem())
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			s.AddAll(u.Elem())
		}
	}
}

// AddValue adds the structs that a value of a type consists of, elements of slices among
// them, and not those that it only leads to.
func (s *TypeSet) AddValue(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if s.Has(t) {
			return
		}
		s.Add(t)
		for f := range u.Fields() {
			s.AddValue(f.Type())
		}
	case *types.Array:
		s.AddValue(u.Elem())
	case *types.Slice:
		s.AddValue(u.Elem())
	}
}
