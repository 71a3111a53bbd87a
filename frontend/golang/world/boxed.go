package world

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

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

// isInternal reports whether users cannot import a package.
func isInternal(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal")
}
