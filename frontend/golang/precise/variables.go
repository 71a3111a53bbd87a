package precise

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Variables of libraries, exactly: an error is one that is equal to itself alone.

// libraryBox is the contents of a library's variable that holds an error.
func (l *Program) libraryBox(name string) ir.Expr {
	g := l.errors[name]
	if g == nil {
		g = l.NewGlobal(name, l.box, ir.Pos{})
		l.errors[name] = g
	}
	return ir.Cast{X: ir.GlobalAddr{Global: g}, T: ir.VPtr}
}

// LibraryVariable is the value of a variable of a library: an error, or a pointer to
// something that is not looked into.
func (x *Fn) LibraryVariable(g *ssa.Global) (irgen.Value, bool) {
	if !x.Exact || x.Own[g.Pkg.Pkg] {
		return nil, false
	}
	t := form.Deref(g.Type())
	name := g.Pkg.Pkg.Path() + "." + g.Name()
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return irgen.Value{x.Tag(irgen.Foreign), x.libraryBox(name)}, true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		o := x.errors["*"+name]
		if o == nil {
			o = x.NewGlobal(name, x.lay.Of(p.Elem()).Mem, ir.Pos{})
			x.errors["*"+name] = o
		}
		return irgen.Value{irgen.Typed(ir.GlobalAddr{Global: o}, x.lay.Of(t).Leaves[0].T)}, true
	}
	return x.UnknownValue(t), true
}
