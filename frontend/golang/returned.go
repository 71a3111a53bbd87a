package golang

import (
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// What a library function returns, by its signature: something new, something that it was
// given or once got, or a part of that.

// partOf is what a method returns that hands out slices of what its receiver has, or a
// function of the slice that is its first argument: those point in there.
func (x *fn) partOf(p *irgen.Call) irgen.Value {
	var out irgen.Value
	for _, t := range form.ComponentTypes(p.Fn.Signature.Results()) {
		v := x.outside(t)
		if _, ok := t.Underlying().(*types.Slice); ok && ir.IsPtr(p.Args[0][0].Type()) {
			v[0] = irgen.Typed(p.Args[0][0], v[0].Type().(ir.Ptr))
		}
		out = append(out, v...)
	}
	return out
}
