package golang

import (
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// What panic statements were called with, and recover. Which functions may panic, and
// what comes after, is in unwound.go.

// panicsHere runs what is deferred, as after a panic, in the middle of a block.
func (x *fn) panicsHere() {
	site, pos := x.Site, x.Pos
	x.unwind(ir.IntConst(ir.U8, irgen.Panics))
	x.Site, x.Pos = site, pos
	x.Start(x.Block("dead"))
}

// recovers reports whether a deferred function of this one calls recover.
func (x *fn) recovers() bool {
	for _, d := range x.defers {
		if f := d.site.Call.StaticCallee(); f == nil || form.CallsRecover(f) {
			return true
		}
	}
	return false
}

// panicsWith notes what a panic statement is called with, where that leads to memory:
// recover may return it, in this program or another function.
func (x *fn) panicsWith(v ssa.Value) {
	mk, ok := v.(*ssa.MakeInterface)
	if ok && !x.hasPointers(mk.X.Type()) {
		return
	}
	if c, ok := v.(*ssa.Const); ok && c.Value == nil {
		return
	}
	x.Store(library.AnyType, ir.GlobalAddr{Global: x.thrown()}, x.Val(v), ir.Relaxed)
}

// thrown holds what panic statements were called with, one of all of them.
func (l *lowering) thrown() *ir.Global {
	if l.thrownValues == nil {
		l.thrownValues = l.NewGlobal("values of panics", l.lay.Of(library.AnyType).Mem, ir.Pos{})
	}
	return l.thrownValues
}

// recovered is what recover returns: nil, an error of the runtime, or what a panic
// statement was called with.
func (x *fn) recovered() irgen.Value {
	return x.either(library.AnyType, x.foreignInterface(nil), x.Load(library.AnyType, ir.GlobalAddr{Global: x.thrown()}, ir.Relaxed))
}
