package world

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// inPlace is what a package writes of what members of its structs lead to.
type inPlace struct {
	// Contents are the members with a map, slice or array of which elements are written.
	Contents map[*types.Var]bool
	// types are those of structs of which exported members are written after the struct
	// was made; what holds them may be anything.
	types map[*types.TypeName]bool
}

// Writes reports whether exported members of a struct are written after it was made.
func (p *inPlace) Writes(n *types.Named) bool { return p.types[n.Obj()] }

// WrittenInPlace finds that for the package of a function.
func (w *World) WrittenInPlace(p *ssa.Package) *inPlace {
	if found := w.inPlace[p]; found != nil {
		return found
	}
	found := &inPlace{Contents: map[*types.Var]bool{}, types: map[*types.TypeName]bool{}}
	note := func(v ssa.Value) {
		if f := MemberOf(v); f != nil {
			found.Contents[f] = true
		}
	}
	for _, f := range form.AllFunctions([]*ssa.Package{p}) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MapUpdate:
					note(in.Map)
				case *ssa.Slice:
					if in.High != nil && refilled(in) {
						note(in.X)
					}
				case *ssa.Store:
					switch at := in.Addr.(type) {
					case *ssa.IndexAddr:
						note(at.X)
					case *ssa.FieldAddr:
						n, ok := types.Unalias(form.Deref(at.X.Type())).(*types.Named)
						if ok && form.MemberAt(at).Exported() && !form.MadeHere(at.X) {
							found.types[n.Obj()] = true
						}
					}
				case *ssa.Call:
					if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
						note(in.Call.Args[0])
					}
				}
			}
		}
	}
	if w.inPlace == nil {
		w.inPlace = map[*ssa.Package]*inPlace{}
	}
	w.inPlace[p] = found
	return found
}

// refilled reports whether the beginning of a slice is kept to be appended to, or is
// appended to: what comes after it is written anew.
func refilled(v *ssa.Slice) bool {
	return slices.ContainsFunc(form.Uses(v), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Store:
			at, member := in.Addr.(*ssa.FieldAddr)
			return member && in.Val == v && form.MemberAt(at) == MemberOf(v.X)
		case *ssa.Call:
			b, ok := in.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "append" && in.Call.Args[0] == v
		}
		return false
	})
}

// MemberOf is the member that a map or slice was loaded from, or that an array is; nil
// where that is not seen, or the struct was made here.
func MemberOf(v ssa.Value) *types.Var {
	for range 20 {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.FieldAddr:
			if form.MadeHere(x.X) {
				return nil
			}
			return form.MemberAt(x)
		default:
			return nil
		}
	}
	return nil
}

// WrapsAway reports whether a result is a struct that was made here, or a pointer to one,
// with what the package keeps in an exported member.
func (w *World) WrapsAway(v ssa.Value, found *inPlace, stored map[*types.Var]bool) bool {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		v = u.X
	}
	made, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range form.Uses(made) {
		at, ok := r.(*ssa.FieldAddr)
		if !ok || !form.MemberAt(at).Exported() {
			continue
		}
		for _, r := range form.Uses(at) {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != at || !IsContents(st.Val.Type()) {
				continue
			}
			if m := MemberOf(st.Val); m != nil && !stored[m] && found.Contents[m] {
				return true
			}
		}
	}
	return false
}

func IsContents(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// HasContents reports whether a struct has an exported member of which elements are
// written; found is nil: of which there are elements.
func (w *World) HasContents(t types.Type, found *inPlace) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Exported() && (found == nil || found.Contents[f.Origin()]) && IsContents(f.Type()) {
			return true
		}
	}
	return false
}
