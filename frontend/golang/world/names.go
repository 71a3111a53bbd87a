package world

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
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
		name = w.literalName(f)
	case recv != nil:
		name = "(" + w.TypeName(recv.Type()) + ")." + f.Name()
	case w.Bodies != nil && w.Bodies.Names[f] != "":
		name = w.Bodies.Names[f]
	case w.Bodies != nil && f.Origin() != nil && w.Bodies.Names[f.Origin()] != "":
		name = w.Bodies.Names[f.Origin()]
	default:
		name = strings.TrimPrefix(f.Name(), program.Copied)
		if p := form.PkgOf(f); p != nil && p != w.First {
			name = p.Name() + "." + name
		}
	}
	return name
}

// literalName is the name of a function literal: that of the function in whose source it
// is, and its number there.
func (w *World) literalName(f *ssa.Function) string {
	if of, ok := w.moved(f); ok {
		if home := w.Prog.FuncValue(of.Of); home != nil {
			return w.FuncName(home) + ".func" + strconv.Itoa(of.Number)
		}
	}
	n, others := f.Name()[strings.LastIndex(f.Name(), "$")+1:], 0
	for _, g := range f.Parent().AnonFuncs {
		if g == f {
			break
		}
		if _, ok := w.moved(g); ok {
			others++
		}
	}
	if k, err := strconv.Atoi(n); err == nil {
		n = strconv.Itoa(k - others)
	}
	return w.FuncName(f.Parent()) + ".func" + n
}

// moved says of which function a literal is that stands in another one.
func (w *World) moved(f *ssa.Function) (program.Literal, bool) {
	lit, _ := f.Syntax().(*ast.FuncLit)
	of, ok := w.Moved[lit]
	return of, ok
}
