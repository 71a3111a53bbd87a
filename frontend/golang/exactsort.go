package golang

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Sorting, exactly: what the library does with few elements, by insertion. Which order
// elements get that are equal is left open by the language, but not by this.

// sorting is a call that sorts; false where it is another one.
func (x *fn) sorting(p *prepared) (value, bool) {
	if !x.Exact {
		return nil, false
	}
	switch library.Name(p.fn) {
	case "sort.Slice", "sort.SliceStable":
		return nil, x.sortSlice(p)
	}
	g, args := insertion(p.fn, p.args)
	if g == nil {
		return nil, false
	}
	var flat value
	for _, a := range args {
		flat = append(flat, a...)
	}
	return x.callFunc(g, flat, nil), true
}

// insertion is the function that sorts by insertion as a function of packages slices and
// sort does for few elements, with the arguments that it gets; nil for other functions.
func insertion(f *ssa.Function, args []value) (*ssa.Function, []value) {
	pkg := form.PkgOf(f)
	if pkg == nil || pkg.Path() != "slices" && pkg.Path() != "sort" || !strings.HasPrefix(f.Name(), "pdqsort") || len(args) < 4 {
		return nil, nil
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok {
				if g := c.Call.StaticCallee(); g != nil && strings.HasPrefix(g.Name(), "insertionSort") {
					return g, append(append([]value{}, args[:3]...), args[4:]...)
				}
			}
		}
	}
	return nil, nil
}

// sortSlice is sort.Slice and sort.SliceStable, whose argument is a slice that becomes an
// interface in the call.
func (x *fn) sortSlice(p *prepared) bool {
	m, ok := x.argument(p, 0).(*ssa.MakeInterface)
	if !ok {
		return false
	}
	t, ok := m.X.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	s := x.val(m.X)
	i, j := x.reg("i", intT), x.reg("j", intT)
	number := func(r *ir.Reg) ir.Expr { return ir.Use{Reg: r} }
	one := ir.IntConst(intT, 1)
	before := func() ir.Expr { return bin("sub", number(j), one) }
	outer, in, inner, test, swap, next, after := x.block("outer"), x.block("in"), x.block("inner"), x.block("test"), x.block("swap"), x.block("next"), x.block("after")
	x.assign(i, one)
	x.jump(outer)
	x.start(outer)
	x.branch(bin("lt", number(i), s[1]), in, after)
	x.start(in)
	x.assign(j, number(i))
	x.jump(inner)
	x.start(inner)
	x.branch(bin("gt", number(j), ir.IntConst(intT, 0)), test, next)
	x.start(test)
	less := x.callArg(p, 1, value{number(j), before()})
	x.branch(cond(less[0]), swap, next)
	x.start(swap)
	at := func(k ir.Expr) ir.Expr { return x.element(s[0], t.Elem(), k) }
	a, b := x.load(t.Elem(), at(number(j)), ir.Plain), x.load(t.Elem(), at(before()), ir.Plain)
	x.store(t.Elem(), at(number(j)), b, ir.Plain)
	x.store(t.Elem(), at(before()), a, ir.Plain)
	x.assign(j, before())
	x.jump(inner)
	x.start(next)
	x.assign(i, bin("add", number(i), one))
	x.jump(outer)
	x.start(after)
	return true
}
