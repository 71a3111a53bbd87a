package world

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/program"
)

// UsersBox lists the types that users may have values of, and so may put into interfaces.
func (w *World) UsersBox(pkgs []program.Package) []types.Type {
	var out []types.Type
	for _, p := range pkgs {
		if program.ProgramOf(p.SSA) != nil || isInternal(p.SSA.Pkg.Path()) {
			continue
		}
		for _, n := range form.SortedKeys(p.SSA.Members) {
			m, ok := p.SSA.Members[n].(*ssa.Type)
			if !ok {
				continue
			}
			t, ok := types.Unalias(m.Type()).(*types.Named)
			if !ok || types.IsInterface(t) || t.TypeParams().Len() > 0 ||
				!ast.IsExported(n) && !w.handedOut(p.SSA, t).surely {
				continue
			}
			for _, t := range []types.Type{t, types.NewPointer(t)} {
				if types.NewMethodSet(t).Len() > 0 {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// UsersAsked lists the types that the program asks the values of interfaces for, and that
// users may have put there: types that they can name, or have values of.
func (w *World) UsersAsked(boxed []types.Type) []types.Type {
	var out []types.Type
	var seen typeutil.Map
	for _, f := range w.Sources {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				as, ok := in.(*ssa.TypeAssert)
				if !ok || form.IsParam(as.AssertedType) || seen.Set(as.AssertedType, true) != nil {
					continue
				}
				if it, ok := as.AssertedType.Underlying().(*types.Interface); ok {
					for _, t := range boxed {
						if types.Implements(t, it) {
							out = append(out, t)
						}
					}
					continue
				}
				if n, ok := types.Unalias(form.Deref(as.AssertedType)).(*types.Named); !ok || w.usersHave(n) {
					out = append(out, as.AssertedType)
				}
			}
		}
	}
	return out
}

// usersHave reports whether users may have values of a type, or pointers to them.
func (w *World) usersHave(n *types.Named) bool {
	o := n.Obj()
	if o.Pkg() == nil || !w.Own[o.Pkg()] {
		return true
	}
	if o.Exported() && o.Parent() == o.Pkg().Scope() {
		return !isInternal(o.Pkg().Path())
	}
	p := w.Prog.Package(o.Pkg())
	return p == nil || w.handedOut(p, n.Origin()).surely
}

// isInternal reports whether users cannot import a package.
func isInternal(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal")
}
