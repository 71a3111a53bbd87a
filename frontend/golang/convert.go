package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// changeType is a conversion that changes no bits.
func (x *fn) changeType(v ssa.Value) irgen.Value {
	var from ssa.Value
	switch v := v.(type) {
	case *ssa.ChangeType:
		from = v.X
		if a, b := form.Deref(from.Type()), form.Deref(v.Type()); x.asModelled(a) != x.asModelled(b) || x.asModelled(a) && !types.Identical(a, b) {
			x.Fail("a conversion of %s to %s", a, b)
		}
	case *ssa.ChangeInterface:
		from = v.X
	}
	if form.IsParam(from.Type()) && x.LibraryMode && types.IsInterface(v.Type()) && !form.IsParam(v.Type()) {
		return x.usersGive(v.Type()) // what the type parameter stands for, users chose
	}
	in, leaves := x.Val(from), x.layoutOf(v).Leaves
	if len(in) != len(leaves) {
		return x.arbitrary(v.Type())
	}
	out := make(irgen.Value, len(in))
	for i := range in {
		out[i] = irgen.Typed(in[i], leaves[i].T)
	}
	return out
}

// asModelled reports whether a type lies in memory as a model says, and not as its
// declaration does.
func (x *fn) asModelled(t types.Type) bool {
	_, _, special := x.Special(types.Unalias(t))
	return special
}

// convert is a conversion between basic types, slices and pointers.
func (x *fn) convert(from ssa.Value, to types.Type) irgen.Value {
	src, dst := from.Type().Underlying(), to.Underlying()
	leaves := x.lay.Of(to).Leaves
	b, toBasic := dst.(*types.Basic)
	switch {
	case form.IsInt(src) && form.IsInt(dst):
		return irgen.Value{irgen.Typed(x.One(from), leaves[0].T)}
	case toBasic && b.Kind() == types.UnsafePointer, form.IsUnsafe(src):
		if x.Exact {
			if x.isBody() {
				return irgen.Value{irgen.Typed(x.One(from), leaves[0].T)}
			}
			x.Inexact()
		}
		if form.IsInt(src) || form.IsInt(dst) {
			x.p.Assume("unsafe", x.Pos, "an address that is made an integer is made an address again in the same function, and not stored")
		} else {
			x.p.Assume("unsafe", x.Pos, "a conversion through unsafe.Pointer is followed as a plain pointer conversion")
		}
		if _, ok := dst.(*types.Pointer); ok && form.IsUnsafe(src) {
			return irgen.Value{ir.Cast{X: x.One(from), T: leaves[0].T, Pun: true}}
		}
		return irgen.Value{irgen.Typed(x.One(from), leaves[0].T)}
	}
	if x.Exact {
		if out, ok := x.ConvertText(from, to); ok {
			return out
		}
	}
	if _, ok := dst.(*types.Slice); ok { // []byte(string)
		return x.freshSlice(to, x.length(nil))
	}
	if s, ok := src.(*types.Slice); ok { // string([]byte)
		v := x.Val(from)
		x.Emit(&ir.Touch{Base: x.Base(), Addr: v[0], Size: irgen.Bin("mul", v[1], ir.IntConst(irgen.IntT, x.lay.Of(s.Elem()).Mem.Size())), Read: true, Why: "conversion to a string"})
	}
	if _, ok := dst.(*types.Pointer); ok && len(x.Val(from)) == 1 && ir.IsPtr(x.One(from).Type()) {
		return irgen.Value{irgen.Typed(x.One(from), leaves[0].T)}
	}
	return x.arbitrary(to)
}
