package golang

import (
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// semaphore is an operation on a weighted semaphore. What takes or gives back 1 is a wait
// or a post; what takes more is not followed, and what gives back more, or an unknown
// number, spoils the semaphore.
func (x *fn) semaphore(p *irgen.Call, op library.Op) irgen.Value {
	results := p.Fn.Signature.Results()
	if op == library.OpNewSem {
		t := form.Deref(results.At(0).Type())
		s := x.lay.Of(t).Mem
		r := x.Temp(ir.Ptr{Elem: s})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
		x.Emit(&ir.SemInit{Base: x.Base(), Sem: x.Member(ir.Use{Reg: r}, t, 0), Val: p.Args[0][0]})
		return irgen.Value{ir.Use{Reg: r}}
	}
	weight := p.Args[len(p.Args)-1][0]
	n, known := ir.ConstInt(weight)
	one := known && n == 1
	sem := x.Member(p.Args[0][0], irgen.RecvType(p), 0)
	if op == library.OpSemPost {
		x.Emit(&ir.SemPost{Base: x.Base(), Sem: sem, All: !one})
		return nil
	}
	if !one {
		return x.arbitrary(results)
	}
	if op == library.OpSemWait && neverDone(p.CC.Args[1]) {
		x.Emit(&ir.SemWait{Base: x.Base(), Sem: sem})
		return x.Zero(results)
	}
	ok := x.Temp(ir.Bool{})
	x.Emit(&ir.SemWait{Base: x.Base(), Sem: sem, Try: true, Dst: ok})
	if op == library.OpSemTry {
		return irgen.Value{irgen.Truth(ir.Use{Reg: ok})}
	}
	out, none := x.arbitrary(results), x.Zero(results)
	failed := irgen.Not(irgen.IsNil(out[0]))
	x.Emit(&ir.Assume{Base: x.Base(), Cond: ir.Binary{Op: "lor", X: ir.Use{Reg: ok}, Y: failed}})
	for i := range out {
		out[i] = x.Hold(ir.Select{C: ir.Use{Reg: ok}, X: none[i], Y: out[i]})
	}
	return out
}

// neverDone reports whether a context is one that does not end.
func neverDone(v ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		v = form.OnlyStored(load)
	}
	c, ok := v.(*ssa.Call)
	if !ok || c.Call.StaticCallee() == nil {
		return false
	}
	name := c.Call.StaticCallee().String()
	return name == "context.Background" || name == "context.TODO"
}
