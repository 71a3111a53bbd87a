package world

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// Seen counts what the program has, for the report.
func (w *World) Seen(pkgs []program.Package) {
	for _, p := range pkgs {
		if !p.Given {
			continue
		}
		w.Report.Seen.Packages++
		for _, f := range form.AllFunctions([]*ssa.Package{p.SSA}) {
			if f.Pkg == p.SSA && f.Synthetic == "" && len(f.Blocks) > 0 {
				w.Report.Seen.Functions++
			}
		}
	}
}

// leave notes the exported types with methods, and the exported functions, that no entry
// point of a package is about.
func (w *World) leave(p *ssa.Package, lt *libraryTypes, roots []Root) {
	run := map[*ssa.Function]bool{}
	for _, r := range roots {
		run[r.Fn] = true
	}
	add := func(m ssa.Member, kind, why string) {
		w.Report.Seen.Left = append(w.Report.Seen.Left, ir.Left{Kind: kind, Name: w.nameOf(m), Why: why, Pos: w.Pos(m.Pos())})
	}
	for _, n := range form.SortedKeys(p.Members) {
		if !ast.IsExported(n) {
			continue
		}
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if len(m.Blocks) > 0 && !run[m] && !constructs(m) {
				add(m, "function", "it neither starts goroutines nor uses what others share")
			}
		case *ssa.Type:
			t, ok := types.Unalias(m.Type()).(*types.Named)
			if !ok || types.IsInterface(t) || lt.shared[t] || lt.sessions[t] || w.Sessions[t.Origin()] != nil {
				continue
			}
			if ms := w.methods(p, t); len(ms) > 0 {
				add(m, "type", lt.whyLeft(t))
			}
		}
	}
}

// nameOf is the name of a member of a package, as reports have it.
func (w *World) nameOf(m ssa.Member) string {
	if f, ok := m.(*ssa.Function); ok {
		return w.FuncName(f)
	}
	return w.TypeName(m.Type())
}

// whyLeft says why a type is not for concurrent use.
func (lt *libraryTypes) whyLeft(t *types.Named) string {
	switch {
	case lt.denied[t.Obj().Name()]:
		return "its documentation says that it is not for concurrent use"
	case slices.Contains(lt.behind, t):
		return "it has no synchronisation but what it shares with others, and it was not found out how users get it"
	}
	return "it has no synchronisation"
}

// comeBefore says of functions that no entry point is about that they are called at the
// end of the initialisation.
func (w *World) comeBefore(fs []*ssa.Function) {
	names := map[string]bool{}
	for _, f := range fs {
		names[w.FuncName(f)] = true
	}
	for i, l := range w.Report.Seen.Left {
		if l.Kind == "function" && names[l.Name] {
			w.Report.Seen.Left[i].Why = "it is called at the end of the initialisation only: " +
				"it sets something up, or looks at what goroutines of the package use"
		}
	}
}
