package golang

import (
	"fmt"
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// # Dynamic types
//
// An interface holds the number of its value's type, its tag, and a box. A box has one
// member for each tag, of which that of the value's type is used: so what is in a box is
// found as its own type only, although boxes of all types meet in one variable.
//
// A generic function is lowered once, and nobody knows what its type parameters stand
// for. So types that differ in the names of type parameters alone have one tag
// (form.OpenKey): a method of a generic type finds what another one has put there. Two
// such types need not be one when the program runs. So a type assertion to one may fail
// where the tag is right (isOf), and succeeds, too, for a tag of another type that
// may be the same one: []V finds []string (alsoOne).

// A dynamicType is a type that interfaces hold.
type dynamicType struct {
	tag  int64
	t    types.Type // the first of those with the tag
	open bool       // it depends on type parameters
	// boxed: a function that has been lowered puts one into an interface.
	boxed bool
}

// dynamic returns what is known of a type in interfaces.
func (l *lowering) dynamic(t types.Type) *dynamicType {
	if d, ok := l.dynamics.At(t).(*dynamicType); ok {
		return d
	}
	k, open := form.OpenKey(t)
	d := l.tags[k]
	if d == nil {
		if l.tags == nil {
			l.tags = map[string]*dynamicType{}
		}
		d = &dynamicType{tag: int64(len(l.tags)) + 1, t: t, open: open}
		l.tags[k] = d
	}
	l.dynamics.Set(t, d)
	return d
}

// Tag is the number of a dynamic type; 0 is that of the nil interface.
func (l *lowering) Tag(t types.Type) ir.Expr { return ir.IntConst(ir.U32, l.dynamic(t).tag) }

// boxMember is the member of boxes for a dynamic type.
func (l *lowering) boxMember(t types.Type) int {
	d := l.dynamic(t)
	n := int(d.tag) - 1
	for i := len(l.box.Fields); i <= n; i++ {
		l.box.Fields = append(l.box.Fields, ir.Field{})
	}
	if l.box.Fields[n].Type == nil {
		mem := irgen.Sized(l.lay.Of(d.t).Mem)
		l.box.Fields[n] = ir.Field{Name: fmt.Sprintf("__%d", n+1), Type: mem, Offset: l.box.Bytes, Const: true, Hidden: t == retained.Stateful}
		l.box.Bytes += irgen.RoundUp(max(mem.Size(), 1), 8)
	}
	return n
}

// Boxed is a value of dynamic type t as an interface.
func (x *fn) Boxed(t types.Type, in irgen.Value) irgen.Value {
	if d := x.dynamic(t); !d.boxed { // it may have been asked for before
		d.boxed = true
		x.Dynamic = append(x.Dynamic, t)
	}
	x.boxedError(t, in)
	tag := x.Tag(t)
	x.boxMember(t)
	if x.LibraryMode && !x.hasPointers(t) {
		return irgen.Value{tag, x.sharedBox()}
	}
	r := x.NewBox()
	x.fillBox(r, t, in)
	return irgen.Value{tag, ir.Cast{X: r, T: ir.VPtr}}
}

// fillBox puts a value of a type into a box.
func (x *fn) fillBox(box ir.Expr, t types.Type, v irgen.Value) {
	first := x.dynamic(t).t
	x.Store(first, ir.FieldAddr{Base: box, S: x.box, Index: x.boxMember(t)}, x.adapt(v, []types.Type{t}, []types.Type{first}), ir.Plain)
}

// Unboxed is the value in an interface whose dynamic type is t.
func (x *fn) Unboxed(t types.Type, data ir.Expr) irgen.Value {
	i := x.boxMember(t)
	if e := x.soleBoxed(t); e != nil {
		return irgen.Value{irgen.Typed(e, x.lay.Of(t).Leaves[0].T)}
	}
	first := x.dynamic(t).t
	v := x.Load(first, ir.FieldAddr{Base: ir.Cast{X: data, T: ir.Ptr{Elem: x.box}}, S: x.box, Index: i}, ir.Plain)
	return x.adapt(v, []types.Type{first}, []types.Type{t})
}

// An outcome of a type assertion: whether it is that, and the value then.
type outcome struct {
	ok  ir.Expr
	get func() irgen.Value
}

// isOf is whether a value with a tag is of a type.
func (x *fn) isOf(tag ir.Expr, t types.Type) ir.Expr {
	is := irgen.Bin("eq", tag, x.Tag(t))
	if !x.Exact && x.dynamic(t).open {
		return irgen.Bin("land", is, irgen.Cond(x.havoc(irgen.BoolT)))
	}
	return is
}

// alsoOne are the outcomes of an assertion to t for the types with other tags that the
// program puts into interfaces and that may be the same as t.
func (x *fn) alsoOne(in irgen.Value, t types.Type) []outcome {
	if x.Exact {
		return nil
	}
	var out []outcome
	seen := map[*dynamicType]bool{x.dynamic(t): true}
	for _, b := range x.Boxes {
		d := x.dynamic(b)
		if seen[d] || !d.open && !x.dynamic(t).open || !form.MayBeOne(b, t) || !form.StandsFor(b, t) {
			continue
		}
		seen[d] = true
		is := irgen.Bin("land", irgen.Bin("eq", in[0], x.Tag(b)), irgen.Cond(x.havoc(irgen.BoolT)))
		out = append(out, outcome{x.Hold(irgen.Truth(is)), func() irgen.Value {
			if form.IsParam(b) && x.LibraryMode { // what it stands for, users chose
				return x.usersGive(t)
			}
			return x.adapt(x.Unboxed(b, in[1]), []types.Type{b}, []types.Type{t})
		}})
	}
	return out
}
