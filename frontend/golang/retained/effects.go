package retained

import (
	"go/ast"
	"go/types"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// UsersTypes lists the pointers to structs of the program that users of a library may put
// into interfaces.
func (x *Facts) UsersTypes() []types.Type {
	if x.users == nil {
		x.users = []types.Type{}
		for _, p := range x.Prog.AllPackages() {
			if !x.Own[p.Pkg] {
				continue
			}
			for _, n := range form.SortedKeys(p.Members) {
				t, ok := p.Members[n].(*ssa.Type)
				if !ok || !ast.IsExported(n) {
					continue
				}
				named, ok := types.Unalias(t.Type()).(*types.Named)
				if !ok || named.TypeParams().Len() > 0 || x.ReceiverTypes[named] {
					continue
				}
				if _, isStruct := named.Underlying().(*types.Struct); isStruct {
					x.users = append(x.users, types.NewPointer(named))
				}
			}
		}
		sort.Slice(x.users, func(i, j int) bool { return form.Key(x.users[i]) < form.Key(x.users[j]) })
	}
	return x.users
}

// Formatter is the method of the program, Error or String, by which values of a type are
// printed, or nil.
func (x *Facts) Formatter(t types.Type) *ssa.Function {
	for _, name := range library.Formatters[:2] {
		sel := x.Prog.MethodSets.MethodSet(t).Lookup(nil, name)
		if sel == nil || sel.Obj().Type().(*types.Signature).Params().Len() != 0 {
			continue
		}
		if f := x.Method(t, sel); f != nil && len(f.Blocks) > 0 {
			return f
		}
	}
	return nil
}

// PrintsOtherwise reports whether a type of the program that is no struct, but has
// pointers in it, has such methods: what these read is not known.
func (x *Facts) PrintsOtherwise() bool {
	if x.oddPrints == nil {
		odd := x.findOddPrints()
		x.oddPrints = &odd
	}
	return *x.oddPrints
}

func (x *Facts) findOddPrints() bool {
	for _, p := range x.Prog.AllPackages() {
		if !x.Own[p.Pkg] {
			continue
		}
		for _, m := range p.Members {
			t, ok := m.(*ssa.Type)
			if !ok {
				continue
			}
			switch t.Type().Underlying().(type) {
			case *types.Struct, *types.Basic, *types.Interface:
				continue
			}
			if library.Formatted(t.Type()) {
				return true
			}
		}
	}
	return false
}

// Encodes reports whether the functions of a package explicit into exported members only.
// Where a type of the program has methods of its own for that, these may do anything with
// the rest.
func (x *Facts) Encodes(path string) bool {
	if !x.Confined() || !slices.Contains(library.Encoders, path) {
		return false
	}
	if x.ownCoders == nil {
		own := x.findCoders()
		x.ownCoders = &own
	}
	return !*x.ownCoders
}

func (x *Facts) findCoders() bool {
	for _, p := range x.Prog.AllPackages() {
		if !x.Own[p.Pkg] {
			continue
		}
		for _, m := range p.Members {
			t, ok := m.(*ssa.Type)
			if !ok || types.IsInterface(t.Type()) {
				continue
			}
			ms := types.NewMethodSet(types.NewPointer(t.Type()))
			for i := range ms.Len() {
				if o := ms.At(i).Obj(); o.Pkg() != nil && x.Own[o.Pkg()] && slices.Contains(library.Coders, o.Name()) {
					return true
				}
			}
		}
	}
	return false
}

// BoxedEffect says whether methods of an interface read or change library objects to
// which values of a type point.
func (x *Facts) BoxedEffect(t types.Type, u *types.Interface) (read, written bool) {
	pt, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false, false
	}
	n, ok := types.Unalias(pt.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || x.Own[n.Obj().Pkg()] {
		return false, false
	}
	set := x.Prog.MethodSets.MethodSet(t)
	for i := range u.NumMethods() {
		sel := set.Lookup(u.Method(i).Pkg(), u.Method(i).Name())
		if sel == nil {
			continue
		}
		m := sel.Obj().(*types.Func)
		effect := x.Models.EffectOf(m)
		if model := x.Models.ByName(library.MethodName(m)); model != nil {
			effect = model.Op
		}
		switch effect {
		case library.OpReads:
			read = true
		case library.OpSelf, library.OpTouch, library.OpFill, library.OpPart, library.OpDrain:
			written = true
		}
	}
	return read, written
}
