package golang

import (
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Which functions may panic, and what panic statements were called with. See unwound.go
// for what comes after.

// panicking is which functions may panic by a panic statement or end their goroutine.
type panicking struct {
	fs map[*ssa.Function]bool
	// dynamic: a function that is called through a value or an interface may.
	dynamic bool
}

// findPanicking computes which of the functions may panic.
func (l *lowering) findPanicking(fs []*ssa.Function) *panicking {
	p := &panicking{fs: map[*ssa.Function]bool{}}
	for changed := true; changed; {
		changed = false
		for _, f := range fs {
			if !p.fs[f] && l.mayPanic(p, f) {
				p.fs[f], changed = true, true
				p.dynamic = p.dynamic || f.Parent() != nil || f.Signature.Recv() != nil || l.once.Taken[f]
			}
		}
	}
	return p
}

func (l *lowering) mayPanic(p *panicking, f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Panic:
				return true
			case *ssa.Call:
				if l.callPanics(p, in) {
					return true
				}
			}
		}
	}
	return false
}

// callPanics reports whether a call may panic.
func (l *lowering) callPanics(p *panicking, c *ssa.Call) bool {
	if p == nil {
		return false
	}
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	f := c.Call.StaticCallee()
	if f == nil {
		return p.dynamic
	}
	if m := l.Models.Model(f); m != nil {
		return m.Op == library.OpExit || m.Op == library.OpPanic || m.Op == library.OpOnce && (p.dynamic || p.fs[world.RunsOnce(l.World, c)])
	}
	return p.fs[f] || p.fs[form.Body(f)]
}

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
