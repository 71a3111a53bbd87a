package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// changeType is a conversion that changes no bits.
func (x *fn) changeType(v ssa.Value) value {
	var from ssa.Value
	switch v := v.(type) {
	case *ssa.ChangeType:
		from = v.X
		if a, b := form.Deref(from.Type()), form.Deref(v.Type()); x.asModelled(a) != x.asModelled(b) || x.asModelled(a) && !types.Identical(a, b) {
			x.fail("a conversion of %s to %s", a, b)
		}
	case *ssa.ChangeInterface:
		from = v.X
	}
	in, leaves := x.val(from), x.layoutOf(v).leaves
	if len(in) != len(leaves) {
		return x.arbitrary(v.Type())
	}
	out := make(value, len(in))
	for i := range in {
		out[i] = typed(in[i], leaves[i].t)
	}
	return out
}

// asModelled reports whether a type lies in memory as a model says, and not as its
// declaration does.
func (x *fn) asModelled(t types.Type) bool {
	_, _, special := x.special(types.Unalias(t))
	return special
}

// convert is a conversion between basic types, slices and pointers.
func (x *fn) convert(from ssa.Value, to types.Type) value {
	src, dst := from.Type().Underlying(), to.Underlying()
	leaves := x.lay.of(to).leaves
	b, toBasic := dst.(*types.Basic)
	switch {
	case form.IsInt(src) && form.IsInt(dst):
		return value{typed(x.one(from), leaves[0].t)}
	case toBasic && b.Kind() == types.UnsafePointer, form.IsUnsafe(src):
		if x.Exact {
			if x.isBody() {
				return value{typed(x.one(from), leaves[0].t)}
			}
			x.inexact()
		}
		if form.IsInt(src) || form.IsInt(dst) {
			x.p.Assume("unsafe", x.pos, "an address that is made an integer is made an address again in the same function, and not stored")
		} else {
			x.p.Assume("unsafe", x.pos, "a conversion through unsafe.Pointer is followed as a plain pointer conversion")
		}
		if _, ok := dst.(*types.Pointer); ok && form.IsUnsafe(src) {
			return value{ir.Cast{X: x.one(from), T: leaves[0].t, Pun: true}}
		}
		return value{typed(x.one(from), leaves[0].t)}
	}
	if x.Exact {
		if out, ok := x.convertText(from, to); ok {
			return out
		}
	}
	if _, ok := dst.(*types.Slice); ok { // []byte(string)
		return x.freshSlice(to, x.length(nil))
	}
	if s, ok := src.(*types.Slice); ok { // string([]byte)
		v := x.val(from)
		x.emit(&ir.Touch{Base: x.base(), Addr: v[0], Size: bin("mul", v[1], ir.IntConst(intT, x.lay.of(s.Elem()).mem.Size())), Read: true, Why: "conversion to a string"})
	}
	if _, ok := dst.(*types.Pointer); ok && len(x.val(from)) == 1 && ir.IsPtr(x.one(from).Type()) {
		return value{typed(x.one(from), leaves[0].t)}
	}
	return x.arbitrary(to)
}
