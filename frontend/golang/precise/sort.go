package precise

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Sorting, exactly: what the library does with few elements, by insertion. Which order
// elements get that are equal is left open by the language, but not by this.

// Sorting is a call that sorts; false where it is another one.
func (x *Fn) Sorting(p *irgen.Call) (irgen.Value, bool) {
	if !x.Exact {
		return nil, false
	}
	switch library.Name(p.Fn) {
	case "sort.Slice", "sort.SliceStable":
		return nil, x.sortSlice(p)
	}
	g, args := insertion(p.Fn, p.Args)
	if g == nil {
		return nil, false
	}
	var flat irgen.Value
	for _, a := range args {
		flat = append(flat, a...)
	}
	return x.CallFunc(g, flat, nil), true
}

// insertion is the function that sorts by insertion as a function of packages slices and
// sort does for few elements, with the arguments that it gets; nil for other functions.
func insertion(f *ssa.Function, args []irgen.Value) (*ssa.Function, []irgen.Value) {
	pkg := form.PkgOf(f)
	if pkg == nil || pkg.Path() != "slices" && pkg.Path() != "sort" || !strings.HasPrefix(f.Name(), "pdqsort") || len(args) < 4 {
		return nil, nil
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok {
				if g := c.Call.StaticCallee(); g != nil && strings.HasPrefix(g.Name(), "insertionSort") {
					return g, append(append([]irgen.Value{}, args[:3]...), args[4:]...)
				}
			}
		}
	}
	return nil, nil
}

// sortSlice is sort.Slice and sort.SliceStable, whose argument is a slice that becomes an
// interface in the call.
func (x *Fn) sortSlice(p *irgen.Call) bool {
	m, ok := x.Argument(p, 0).(*ssa.MakeInterface)
	if !ok {
		return false
	}
	t, ok := m.X.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	s := x.Val(m.X)
	i, j := x.Reg("i", irgen.IntT), x.Reg("j", irgen.IntT)
	number := func(r *ir.Reg) ir.Expr { return ir.Use{Reg: r} }
	one := ir.IntConst(irgen.IntT, 1)
	before := func() ir.Expr { return irgen.Bin("sub", number(j), one) }
	outer, in, inner, test, swap, next, after := x.Block("outer"), x.Block("in"), x.Block("inner"), x.Block("test"), x.Block("swap"), x.Block("next"), x.Block("after")
	x.Assign(i, one)
	x.Jump(outer)
	x.Start(outer)
	x.Branch(irgen.Bin("lt", number(i), s[1]), in, after)
	x.Start(in)
	x.Assign(j, number(i))
	x.Jump(inner)
	x.Start(inner)
	x.Branch(irgen.Bin("gt", number(j), ir.IntConst(irgen.IntT, 0)), test, next)
	x.Start(test)
	less := x.CallArg(p, 1, irgen.Value{number(j), before()})
	x.Branch(irgen.Cond(less[0]), swap, next)
	x.Start(swap)
	at := func(k ir.Expr) ir.Expr { return x.Element(s[0], t.Elem(), k) }
	a, b := x.Load(t.Elem(), at(number(j)), ir.Plain), x.Load(t.Elem(), at(before()), ir.Plain)
	x.Store(t.Elem(), at(number(j)), b, ir.Plain)
	x.Store(t.Elem(), at(before()), a, ir.Plain)
	x.Assign(j, before())
	x.Jump(inner)
	x.Start(next)
	x.Assign(i, irgen.Bin("add", number(i), one))
	x.Jump(outer)
	x.Start(after)
	return true
}
