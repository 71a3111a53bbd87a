package golang

import (
	"go/types"
	"slices"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// Interfaces in which library functions return objects whose methods must not be called
// at the same time, such as hash.Hash and what base64.NewEncoder returns (models,
// stateful), have a dynamic type of their own. Their methods access the state of the
// object.

// outsideOf is what a library function returns: outside, but for such objects.
func (x *fn) outsideOf(p *irgen.Call) irgen.Value {
	sig := p.Fn.Signature
	out := x.outside(sig.Results())
	if x.Exact {
		return out
	}
	at := 0
	for _, t := range form.ComponentTypes(sig.Results()) {
		n := len(x.lay.Of(t).Leaves)
		if it, ok := t.Underlying().(*types.Interface); ok && slices.Contains(x.StatefulResults(p.Fn), it) {
			copy(out[at:], x.newStateful())
		}
		at += n
	}
	return out
}

// newStateful is a new object with state in an interface, or nil.
func (x *fn) newStateful() irgen.Value {
	mem := x.lay.Of(retained.StateType).Mem
	r := x.Temp(ir.Ptr{Elem: mem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	v := x.Boxed(retained.Stateful, irgen.Value{ir.Use{Reg: r}})
	return irgen.Value{x.Hold(ir.Select{C: irgen.Cond(x.havoc(irgen.BoolT)), X: ir.IntConst(ir.U32, 0), Y: v[0]}), v[1]}
}

// statefulGiven is what code outside the program gives as values of an interface that is
// listed as stateful: something with a state of its own, or what it has got; ok is false
// for other types.
func (x *fn) statefulGiven(t types.Type, ext func(ir.Ptr) ir.Expr) (out irgen.Value, ok bool) {
	it, isIface := t.Underlying().(*types.Interface)
	if !isIface || !x.Models.IsStateful(form.Key(t)) || !x.MayBeStateful(it) {
		return nil, false
	}
	out = x.newStateful()
	if ext != nil {
		out = x.either(t, out, x.narrowed(t, x.foreignInterface(ext)))
	}
	return out, true
}

// changeState is what methods of an interface do to such an object in it.
func (x *fn) changeState(it *types.Interface, tag, data ir.Expr, write bool) {
	if !x.MayBeStateful(it) {
		return
	}
	x.When(irgen.Bin("eq", tag, x.Tag(retained.Stateful)), func() {
		at := x.Unboxed(retained.Stateful, data)[0]
		x.Emit(&ir.Touch{Base: x.Base(), Addr: at, Size: ir.IntConst(ir.U64, x.lay.Of(retained.StateType).Mem.Size()), Read: true, Write: write, Why: "the state of an object of the library"})
	})
}
