package golang

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/precise"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Panics, exactly, in programs that recover from them, and goroutines that end themselves
// (runtime.Goexit, a test's Fatal). A function that panics runs what it has deferred and
// returns; its caller finds the thread unwinding, and does the same, until a deferred
// function has called recover or the thread ends. Where nothing is deferred that might
// recover, a panic ends the program at once, as in programs that never recover.

// unwinding is what the lowering needs of it.
type unwinding struct {
	// state is one of the above, and value what panic was called with; catchers counts
	// the deferred functions to come that might recover.
	state, value, catchers *ir.Global
	// offered is 1 while a deferred function runs that recover stops a panic for, and
	// what is what recover returns.
	offered, what *ir.Global
	// site is the number of the last place that panicked, sites are these; uncaught ends
	// the program where a thread ends by a panic.
	site     *ir.Global
	sites    []panicSite
	uncaught *ir.Func
	// goroutines run a function to the end of its thread.
	goroutines map[*ir.Func]*ir.Func
	dynamic    map[string]*ir.Func
	// always are the functions that call recover and are only deferred.
	always map[*ssa.Function]bool
}

type panicSite struct {
	at  ir.Pos
	msg string
}

// findUnwinding looks whether functions recover, or end their goroutines.
func (l *lowering) findUnwinding(fs []*ssa.Function, roots []world.Root) *unwinding {
	found := slices.ContainsFunc(fs, form.CallsRecover) || slices.ContainsFunc(fs, func(f *ssa.Function) bool { return l.endsItself(f, roots) })
	if !found {
		return nil
	}
	u := &unwinding{goroutines: map[*ir.Func]*ir.Func{}, dynamic: map[string]*ir.Func{}, always: onlyDeferred(fs, l.Boxes)}
	local := func(name string, t ir.Type) *ir.Global {
		g := l.NewGlobal(name, t, ir.Pos{})
		g.ThreadLocal = true
		return g
	}
	u.state, u.catchers, u.offered, u.site = local("__unwinding", ir.U8), local("__catchers", ir.I32), local("__recoverable", ir.U8), local("__panic", ir.U32)
	u.value, u.what = local("__panic value", l.lay.Of(library.AnyType).Mem), local("__recovered", l.lay.Of(library.AnyType).Mem)
	u.uncaught = &ir.Func{Name: l.Unique("end of a goroutine"), Result: ir.Void{}}
	l.p.Funcs = append(l.p.Funcs, u.uncaught)
	return u
}

// endsItself reports whether a function ends its goroutine, other than a test in its own
// body after which nothing comes.
func (l *lowering) endsItself(f *ssa.Function, roots []world.Root) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok || c.Common().StaticCallee() == nil {
				continue
			}
			if g := c.Common().StaticCallee(); precise.EndsTest(g) && (library.Name(g) == "runtime.Goexit" || l.precise.IsSubtests() || !slices.ContainsFunc(roots, func(r world.Root) bool { return r.Fn == f })) {
				return true
			}
		}
	}
	return false
}

// onlyDeferred lists the functions that call recover and are run by defer statements
// alone: there, recover stops a panic. boxes are the types of values in interfaces.
func onlyDeferred(fs []*ssa.Function, boxes []types.Type) map[*ssa.Function]bool {
	out, other := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, f := range fs {
		if form.CallsRecover(f) {
			out[f] = true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if _, debug := in.(*ssa.DebugRef); debug {
					continue
				}
				for _, op := range in.Operands(nil) {
					var g *ssa.Function
					switch v := (*op).(type) {
					case *ssa.Function:
						g = v
					case *ssa.MakeClosure:
						g = v.Fn.(*ssa.Function)
					}
					if g == nil {
						continue
					}
					d, deferred := in.(*ssa.Defer)
					_, makes := in.(*ssa.MakeClosure)
					if !makes && !(deferred && d.Call.StaticCallee() == g && op == &d.Call.Value) {
						other[g] = true
					}
				}
			}
		}
	}
	for f := range other {
		delete(out, f)
	}
	for f := range out { // a method that an interface may lead to
		recv := f.Signature.Recv()
		if recv != nil && slices.ContainsFunc(boxes, func(t types.Type) bool { return types.Identical(form.Deref(t), form.Deref(recv.Type())) }) {
			delete(out, f)
		}
	}
	return out
}

// mayCatch reports whether a deferred call may recover.
func (x *fn) mayCatch(d *deferred) bool {
	f := d.site.Call.StaticCallee()
	if f == nil {
		_, builtin := d.site.Call.Value.(*ssa.Builtin)
		return !builtin
	}
	return form.CallsRecover(f)
}

// Raise lets the thread unwind from here; nothing comes after it.
func (x *fn) Raise(state int64) {
	if x.Inside {
		x.Emit(&ir.AtomicEnd{Base: x.Base()})
	}
	x.WriteNum(x.unwinding.state, state)
	x.Jump(x.leaving())
	x.Start(x.Block("dead"))
}

// Throw panics with a value.
func (x *fn) Throw(v irgen.Value, msg string) {
	u := x.unwinding
	x.When(irgen.Bin("eq", x.Read(u.catchers), ir.IntConst(ir.I32, 0)), func() {
		x.Emit(&ir.Assert{Base: x.Base(), Cond: ir.BoolConst(false), Tag: "panic", Msg: msg})
	})
	n := slices.Index(u.sites, panicSite{x.Pos, msg})
	if n < 0 {
		n = len(u.sites)
		u.sites = append(u.sites, panicSite{x.Pos, msg})
	}
	x.WriteNum(u.site, int64(n))
	x.Store(library.AnyType, irgen.ThreadVar(u.value), v, ir.Plain)
	x.Raise(irgen.Panics)
}

// leaving is the block that a function goes to when it unwinds; leave makes it.
func (x *fn) leaving() *ir.Block {
	if x.exit == nil {
		x.exit = x.Block("unwinds")
	}
	return x.exit
}

// Propagate unwinds where a function that was called has come back unwinding.
func (x *fn) Propagate() {
	if x.unwinding == nil || x.quiet {
		return
	}
	on := x.Block("on")
	x.Branch(irgen.Bin("eq", x.Read(x.unwinding.state), ir.IntConst(ir.U8, irgen.Running)), on, x.leaving())
	x.Start(on)
}

// Quietly lowers calls after which it is not asked whether they unwind.
func (x *fn) Quietly(do func()) {
	saved := x.quiet
	x.quiet = true
	do()
	x.quiet = saved
}

// unwinds makes the block in which the function unwinds, where it is used.
func (x *fn) leave() {
	b := x.exit
	if b == nil || slices.Contains(x.F.Blocks, b) {
		return
	}
	x.Start(b)
	for i := len(x.defers) - 1; i >= 0; i-- {
		if d := x.defers[i]; d.list != nil {
			x.runList(d, func(d *deferred) {
				x.caught(d)
				x.deferredPanic(d)
			})
		} else if d.call != nil {
			x.onceDeferred(d, func() { x.deferredPanic(d) })
		}
	}
	if len(x.defers) > 0 && x.Sf.Recover != nil && x.blocks[x.Sf.Recover] != nil {
		back := x.Block("goes on unwinding")
		x.Branch(irgen.Bin("eq", x.Read(x.unwinding.state), ir.IntConst(ir.U8, irgen.Running)), x.blocks[x.Sf.Recover], back)
		x.Start(back)
	}
	x.giveNothing()
	if len(x.defers) > 0 {
		x.clearRegisters()
	}
}

// clearRegisters gives the registers of the function a value at its start: what is
// deferred is called with some that need not have one where the function unwinds.
func (x *fn) clearRegisters() {
	params := map[*ir.Reg]bool{}
	for _, r := range x.F.Params {
		params[r] = true
	}
	var clear []ir.Instr
	for _, r := range x.F.Regs {
		var zero ir.Expr
		switch t := r.Type.(type) {
		case ir.Int:
			zero = ir.IntConst(t, 0)
		case ir.Ptr:
			zero = ir.Null{T: t}
		default:
			zero = ir.BoolConst(false)
		}
		if !params[r] {
			clear = append(clear, &ir.Assign{Base: ir.Base{Pos: x.F.Pos}, Dst: r, X: zero})
		}
	}
	entry := x.F.Blocks[0]
	entry.Instrs = append(clear, entry.Instrs...)
}

// giveNothing returns zeros, which nobody looks at, or which a function that has
// recovered returns.
func (x *fn) giveNothing() {
	var val ir.Expr
	switch t := x.F.Result.(type) {
	case ir.Int:
		val = ir.IntConst(t, 0)
	case ir.Ptr:
		val = ir.Null{T: t}
	}
	if x.ret != nil {
		s := x.ret.Type.(ir.Ptr).Elem.(*ir.Struct)
		for i, f := range s.Fields {
			x.Emit(&ir.Store{Base: x.Base(), Addr: ir.FieldAddr{Base: ir.Use{Reg: x.ret}, S: s, Index: i}, Val: x.ZeroLeaf(irgen.Leaf{T: f.Type}), Order: ir.Plain})
		}
	}
	x.End(&ir.Return{TermBase: x.Term(), Val: val})
}

// onceDeferred runs do where a deferred call was made and has not run yet: it runs once.
func (x *fn) onceDeferred(d *deferred, do func()) {
	x.When(irgen.Cond(ir.Use{Reg: d.flag}), func() {
		x.Assign(d.flag, irgen.BoolConst(false))
		x.caught(d)
		x.Pos = x.lowering.Pos(d.site.Pos())
		saved := x.Site
		x.Site = d.site
		do()
		x.Site = saved
	})
}

// caught notes that a deferred call which might recover is none to come.
func (x *fn) caught(d *deferred) {
	if x.mayCatch(d) {
		x.Write(x.unwinding.catchers, irgen.Bin("sub", x.Read(x.unwinding.catchers), ir.IntConst(ir.I32, 1)))
	}
}

// deferredRun runs a deferred call in a function that returns: recover gives it nothing.
func (x *fn) deferredRun(d *deferred) {
	u := x.unwinding
	offered := x.Read(u.offered)
	x.WriteNum(u.offered, 0)
	x.Quietly(func() { x.perform(d.call) })
	x.Write(u.offered, offered)
	x.Propagate()
}

// deferredPanic runs a deferred call in a function that unwinds, or that has recovered
// and goes on to return.
func (x *fn) deferredPanic(d *deferred) {
	u := x.unwinding
	offered, what := x.Read(u.offered), x.Load(library.AnyType, irgen.ThreadVar(u.what), ir.Plain)
	state, val := x.Read(u.state), x.Load(library.AnyType, irgen.ThreadVar(u.value), ir.Plain)
	x.Write(u.offered, irgen.Typed(irgen.Truth(irgen.Bin("eq", state, ir.IntConst(ir.U8, irgen.Panics))), ir.U8))
	x.Store(library.AnyType, irgen.ThreadVar(u.what), val, ir.Plain)
	x.WriteNum(u.state, irgen.Running)
	x.Quietly(func() { x.perform(d.call) })
	again := irgen.Bin("land", irgen.Bin("eq", x.Read(u.state), ir.IntConst(ir.U8, irgen.Running)),
		irgen.Bin("lor", irgen.Bin("eq", state, ir.IntConst(ir.U8, irgen.Exits)), irgen.Bin("land", irgen.Bin("eq", state, ir.IntConst(ir.U8, irgen.Panics)), irgen.Not(irgen.IsNil(x.Read(u.offered))))))
	x.When(again, func() {
		x.Write(u.state, state)
		x.Store(library.AnyType, irgen.ThreadVar(u.value), val, ir.Plain)
	})
	x.Write(u.offered, offered)
	x.Store(library.AnyType, irgen.ThreadVar(u.what), what, ir.Plain)
}

// recover is the builtin function.
func (x *fn) recover() irgen.Value {
	u := x.unwinding
	if u == nil || !u.always[x.Sf] {
		x.Cut("recover in a function that is not only deferred")
		return x.Zero(library.AnyType)
	}
	dst := []*ir.Reg{x.Temp(ir.U32), x.Temp(ir.VPtr)}
	for i, z := range x.Zero(library.AnyType) {
		x.Assign(dst[i], z)
	}
	x.When(irgen.Not(irgen.IsNil(x.Read(u.offered))), func() {
		for i, e := range x.Load(library.AnyType, irgen.ThreadVar(u.what), ir.Plain) {
			x.Assign(dst[i], e)
		}
		x.WriteNum(u.offered, 0)
	})
	return irgen.Value{ir.Use{Reg: dst[0]}, ir.Use{Reg: dst[1]}}
}

// goroutine is the function that a thread runs for a callee: it ends the program where
// that comes back by a panic.
func (x *fn) goroutine(callee ir.Expr, args irgen.Value) (ir.Expr, irgen.Value) {
	u := x.unwinding
	if u == nil {
		return callee, args
	}
	fa, static := callee.(ir.FuncAddr)
	f, k := u.goroutines[fa.Func], ""
	if !static {
		for _, a := range args {
			k += a.Type().String() + " "
		}
		f = u.dynamic[k]
		args = append(irgen.Value{callee}, args...)
	}
	if f == nil {
		name := "goroutine"
		if static {
			name = fa.Func.Name + " (goroutine)"
		}
		f = &ir.Func{Name: x.Unique(name), Result: ir.Void{}, Pos: x.Pos}
		if static {
			f.Pos = fa.Func.Pos
			u.goroutines[fa.Func] = f
		} else {
			u.dynamic[k] = f
		}
		for i, a := range args {
			f.Params = append(f.Params, &ir.Reg{Name: "p" + strconv.Itoa(i), Type: a.Type()})
		}
		x.p.Funcs = append(x.p.Funcs, f)
		y := newFn(x.lowering, nil, f)
		y.Pos = f.Pos
		y.Start(y.Block("entry"))
		var to irgen.Value
		for _, p := range f.Params {
			y.Used[p.Name] = 1
			to = append(to, ir.Use{Reg: p})
		}
		in := &ir.Call{Base: y.Base(), Callee: callee, Args: to}
		if !static {
			in.Callee, in.Args = to[0], to[1:]
		} else if !ir.Equal(fa.Func.Result, ir.Void{}) {
			in.Dst = y.Temp(fa.Func.Result)
		}
		y.Emit(in)
		y.Emit(&ir.Call{Base: y.Base(), Callee: ir.FuncAddr{Func: u.uncaught}})
		y.GiveBack(nil)
		y.Prune()
	}
	return ir.FuncAddr{Func: f}, args
}

// finishUnwinding makes the function that ends the program where a thread has panicked to
// its end.
func (l *lowering) finishUnwinding() {
	u := l.unwinding
	if u == nil {
		return
	}
	x := newFn(l, nil, u.uncaught)
	x.Start(x.Block("entry"))
	x.When(irgen.Bin("eq", x.Read(u.state), ir.IntConst(ir.U8, irgen.Panics)), func() {
		at := x.Read(u.site)
		for i, s := range u.sites {
			x.Pos = s.at
			x.When(irgen.Bin("eq", at, ir.IntConst(ir.U32, int64(i))), func() {
				x.Emit(&ir.Assert{Base: x.Base(), Cond: ir.BoolConst(false), Tag: "panic", Msg: s.msg})
			})
		}
	})
	x.Pos = ir.Pos{}
	x.GiveBack(nil)
	x.Prune()
}

// panicValue is what panic is called with: nil is an error of the runtime.
func (x *fn) panicValue(v ssa.Value) irgen.Value {
	if c, ok := v.(*ssa.Const); ok && c.Value == nil {
		return x.NewError()
	}
	return x.Val(v)
}
