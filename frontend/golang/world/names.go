package world

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// ChooseFirst picks the package whose names are printed without a qualifier: the only
// one, or the only main.
func (w *World) ChooseFirst(built []*ssa.Package) {
	for _, p := range built {
		if w.First == nil || p.Pkg.Name() == "main" && w.First.Name() != "main" {
			w.First = p.Pkg
		}
	}
}

// Pos is a source position, relative to the working directory where the file lies below
// it.
func (w *World) Pos(p token.Pos) ir.Pos {
	x := program.Position(w.Prog.Fset, w.cwd, p)
	if _, seen := w.Places[x]; !seen && p.IsValid() {
		w.Places[x] = p
	}
	return x
}

// qualifier writes package names, but for the first package.
func (w *World) qualifier(p *types.Package) string {
	if p == w.First {
		return ""
	}
	return p.Name()
}

func (w *World) TypeName(t types.Type) string { return types.TypeString(t, w.qualifier) }

// FuncName is a function's name as Go people write it: main, (*Server).handle,
// main.func1.
func (w *World) FuncName(f *ssa.Function) string {
	var name string
	switch recv := f.Signature.Recv(); {
	case f.Pkg != nil && f == program.TestRoot(f.Pkg):
		name = program.TestsName
	case f.Parent() != nil:
		name = w.FuncName(f.Parent()) + ".func" + f.Name()[strings.LastIndex(f.Name(), "$")+1:]
	case recv != nil:
		name = "(" + w.TypeName(recv.Type()) + ")." + f.Name()
	case w.Bodies != nil && w.Bodies.Names[f] != "":
		name = w.Bodies.Names[f]
	case w.Bodies != nil && f.Origin() != nil && w.Bodies.Names[f.Origin()] != "":
		name = w.Bodies.Names[f.Origin()]
	default:
		name = f.Name()
		if p := form.PkgOf(f); p != nil && p != w.First {
			name = p.Name() + "." + name
		}
	}
	return name
}
