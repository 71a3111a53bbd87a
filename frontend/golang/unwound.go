package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Panics of callees, for verify. Where a function panics and one that may be above it has
// deferred something, it returns with a variable of its thread set; the functions on the
// way run what they have deferred and return as well, until one has deferred a function
// that recovers. What they have done before counts: goroutines that they have started,
// locks that they hold.

// findBelow lists the functions that may run below one that has deferred functions of the
// program, or such as are not known: called by it, or deferred themselves.
func (l *lowering) findBelow(fs []*ssa.Function) map[*ssa.Function]bool {
	below := map[*ssa.Function]bool{}
	var work []*ssa.Function
	add := func(f *ssa.Function) {
		if f = form.Body(f); len(f.Blocks) > 0 && !below[f] {
			below[f] = true
			work = append(work, f)
		}
	}
	values := &valuesCalled{l: l, fs: fs}
	for _, f := range fs {
		if defersOwn(f) {
			l.callees(f, values, add)
		}
		l.recoveredCallees(f, values, add)
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		l.callees(f, values, add)
	}
	return below
}

// callees gives all functions that one may run in its own goroutine.
func (l *lowering) callees(f *ssa.Function, values *valuesCalled, add func(*ssa.Function)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if _, other := in.(*ssa.Go); !ok || other {
				continue
			}
			cc := c.Common()
			switch g := cc.StaticCallee(); {
			case cc.IsInvoke():
				values.methods(cc.Method.Name(), add)
			case g == nil:
				if !form.BuiltinValue(cc.Value) {
					values.functions(cc.Signature(), add)
				}
			case len(form.Body(g).Blocks) > 0:
				add(g)
			default:
				values.given(g, c, add)
			}
		}
	}
}

// recoveredCallees gives the functions from whose panics the libraries recover that one
// calls: methods by which package fmt and its like print, and what templates call.
func (l *lowering) recoveredCallees(f *ssa.Function, values *valuesCalled, add func(*ssa.Function)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok || c.Common().StaticCallee() == nil || !mayCallBack(c.Common()) {
				continue
			}
			switch {
			case !recoversItself(c.Common().StaticCallee()):
			case isTemplate(c.Common().StaticCallee()):
				values.all(add)
			default:
				values.printing(add)
			}
		}
	}
}

// What a value may lead a library to call.
const (
	nothing = iota
	methodsOf
	anything
)

// callable says what a library may call that has a value of some type: methods of values
// in interfaces, or functions.
func callable(t types.Type, depth int) int {
	if depth > 6 {
		return nothing
	}
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return anything
	case *types.Interface:
		return methodsOf
	case *types.Pointer:
		return callable(t.Elem(), depth+1)
	case *types.Slice:
		return callable(t.Elem(), depth+1)
	case *types.Array:
		return callable(t.Elem(), depth+1)
	case *types.Chan:
		return callable(t.Elem(), depth+1)
	case *types.Map:
		return max(callable(t.Key(), depth+1), callable(t.Elem(), depth+1))
	case *types.Struct:
		out := nothing
		for f := range t.Fields() {
			out = max(out, callable(f.Type(), depth+1))
		}
		return out
	}
	return nothing
}

// mayCallBack reports whether a library function is given something that it could call.
func mayCallBack(cc *ssa.CallCommon) bool {
	return slices.ContainsFunc(cc.Args, func(a ssa.Value) bool { return callable(a.Type(), 0) != nothing })
}

// valuesCalled finds the functions that calls of values may run; each question is
// answered once.
type valuesCalled struct {
	l     *lowering
	fs    []*ssa.Function
	asked map[string]bool
	every bool
}

func (v *valuesCalled) each(question string, is func(*ssa.Function) bool, add func(*ssa.Function)) {
	if v.every || v.asked[question] {
		return
	}
	if v.asked == nil {
		v.asked = map[string]bool{}
	}
	v.asked[question] = true
	for _, f := range v.fs {
		if is(f) {
			add(f)
		}
	}
}

func (v *valuesCalled) methods(name string, add func(*ssa.Function)) {
	v.each("method "+name, func(f *ssa.Function) bool { return f.Signature.Recv() != nil && f.Name() == name }, add)
}

func (v *valuesCalled) functions(sig *types.Signature, add func(*ssa.Function)) {
	v.each("func "+form.Key(sig.Params()), func(f *ssa.Function) bool {
		return v.l.once.Taken[f] && types.Identical(f.Signature.Params(), sig.Params())
	}, add)
}

// given gives what a library function may call of what it is given.
func (v *valuesCalled) given(g *ssa.Function, c ssa.CallInstruction, add func(*ssa.Function)) {
	if h := world.RunsOnce(v.l.World, c); h != nil {
		add(h)
		return
	}
	if v.l.LibrarySources.Getter(g) { // it calls nothing
		return
	}
	if m := v.l.Models.Model(g); m != nil && !library.IsEffect(m.Op) {
		switch m.Op {
		case library.OpOnce, library.OpCall, library.OpRange:
		case library.OpGet: // of a pool
			v.functions(poolNew, add)
			return
		default:
			return
		}
	}
	for _, a := range c.Common().Args {
		switch callable(a.Type(), 0) {
		case methodsOf:
			if recoversItself(g) && !isTemplate(g) {
				v.printing(add)
				v.methods("Write", add)
			} else {
				v.each("methods", func(f *ssa.Function) bool { return v.l.once.Dynamic(f) }, add)
			}
		case anything:
			switch f := a.(type) {
			case *ssa.Function:
				add(f)
			case *ssa.MakeClosure:
				add(f.Fn.(*ssa.Function))
			default:
				v.all(add)
			}
		}
	}
}

// poolNew is the type of sync.Pool.New.
var poolNew = types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", types.Universe.Lookup("any").Type())), false)

// printing gives the methods by which values are printed.
func (v *valuesCalled) printing(add func(*ssa.Function)) {
	for _, name := range library.Formatters {
		v.methods(name, add)
	}
}

// all gives all functions that a library may have got to know.
func (v *valuesCalled) all(add func(*ssa.Function)) {
	v.each("", func(f *ssa.Function) bool {
		return v.l.once.Taken[f] || f.Parent() != nil || v.l.once.Dynamic(f)
	}, add)
	v.every = true
}

// unwound is the variable of a thread that says whether something goes up from function
// to function, and what: a panic, or the end of the goroutine; the states are those of
// exact unwinding.
func (l *lowering) unwound() *ir.Global {
	if l.unwoundVar == nil {
		l.unwoundVar = l.NewGlobal(ir.Unwound, ir.U8, ir.Pos{})
		l.unwoundVar.ThreadLocal = true
	}
	return l.unwoundVar
}

// raising is which functions may return because something has panicked, or ends the
// goroutine: they do so themselves, or call or defer such, also by way of a library.
type raising struct {
	fs map[*ssa.Function]bool
	// dynamic: one that is called through a value or an interface may.
	dynamic bool
}

// findRaising computes them. Functions and methods of a library's users may panic, too;
// that is of interest where something is deferred above them.
func (l *lowering) findRaising(fs []*ssa.Function) *raising {
	r := &raising{fs: map[*ssa.Function]bool{}, dynamic: l.usersPanic()}
	for changed := true; changed; {
		changed = false
		for _, f := range fs {
			if !r.fs[f] && l.raisesIn(r, f) {
				r.fs[f], changed = true, true
				r.dynamic = r.dynamic || f.Parent() != nil || f.Signature.Recv() != nil || l.once.Taken[f]
			}
		}
	}
	return r
}

func (l *lowering) raisesIn(r *raising, f *ssa.Function) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			if _, ok := in.(*ssa.Panic); ok {
				return true
			}
			c, ok := in.(ssa.CallInstruction)
			_, other := in.(*ssa.Go)
			return ok && !other && l.raises(r, c)
		})
	})
}

// usersPanic reports whether what users do where a library calls them may panic, as far as
// that is of interest: deferred functions run then.
func (l *lowering) usersPanic() bool { return l.LibraryMode && !l.Exact && len(l.below) > 0 }

// usersMayPanic is at the end of what stands for users' code: it returns, has panicked, or
// ends the goroutine.
func (x *fn) usersMayPanic() {
	if !x.usersPanic() {
		return
	}
	for _, state := range []int64{irgen.Panics, irgen.Exits} {
		x.Choose(nil, func() { x.WriteNum(x.unwound(), state) }, nil)
	}
}

// raises reports whether a call may come back because something has panicked.
func (l *lowering) raises(r *raising, c ssa.CallInstruction) bool {
	cc := c.Common()
	if r == nil || form.BuiltinValue(cc.Value) {
		return false
	}
	g := cc.StaticCallee()
	if g == nil {
		return r.dynamic
	}
	if len(form.Body(g).Blocks) > 0 {
		return r.fs[form.Body(g)]
	}
	if h := world.RunsOnce(l.World, c); h != nil && r.fs[h] {
		return true
	}
	if m := l.Models.Model(g); m != nil && !library.IsEffect(m.Op) {
		switch m.Op {
		case library.OpExit, library.OpPanic:
			return true
		case library.OpOnce, library.OpOnceFunc, library.OpCall, library.OpGet, library.OpRange, library.OpUpdate:
		default:
			return false
		}
	}
	return r.dynamic && mayCallBack(cc)
}

// mayUnwind reports whether what comes after a call depends on whether something has
// panicked in it.
func (x *fn) mayUnwind(c ssa.CallInstruction) bool {
	if x.Exact || x.Sf == nil || x.raising == nil || len(x.below) == 0 || !x.lowering.raises(x.raising, c) {
		return false
	}
	g := c.Common().StaticCallee()
	return g == nil || len(form.Body(g).Blocks) == 0 || x.below[form.Body(g)]
}

// afterCall goes on only if nothing has panicked in a call.
func (x *fn) afterCall(c ssa.CallInstruction) {
	site, pos := x.Site, x.Pos
	state := x.Read(x.unwound())
	x.When(irgen.Bin("ne", state, ir.IntConst(ir.U8, irgen.Running)), func() {
		x.WriteNum(x.unwound(), irgen.Running)
		if g := c.Common().StaticCallee(); g != nil && recoversItself(g) {
			x.Choose(nil, func() { x.unwind(state) }, nil)
			return
		}
		x.unwind(state)
	})
	x.Site, x.Pos = site, pos
}

// unwind runs what is deferred here and ends the function, and with it the program unless
// a deferred function recovers, here or above.
func (x *fn) unwind(state ir.Expr) {
	x.RunDefers()
	x.ended(state)
}

// ended is what comes after the deferred functions of one that has panicked: its end
// where they recover, or that of the one that has called it.
func (x *fn) ended(state ir.Expr) {
	if x.Cur == nil {
		return
	}
	if x.Sf.Recover != nil && x.recovers() {
		x.Inexact()
		up, end := x.Block("up"), x.blocks[x.Sf.Recover]
		if !x.surelyRecovers() {
			end = x.Block("perhaps")
		}
		x.Branch(irgen.Bin("eq", state, ir.IntConst(ir.U8, irgen.Panics)), end, up)
		if end != x.blocks[x.Sf.Recover] {
			x.Start(end)
			x.Jump(up, x.blocks[x.Sf.Recover])
		}
		x.Start(up)
	}
	if !x.below[x.Sf] {
		x.Stop("abort")
		return
	}
	x.Write(x.unwound(), state)
	x.GiveBack(x.ofFailure())
}

// ofFailure are results that nobody looks at. Where it is not known any more that
// something goes up, callers had better take them for those of a failure.
func (x *fn) ofFailure() irgen.Value {
	var out irgen.Value
	for _, t := range form.ComponentTypes(x.Sf.Signature.Results()) {
		v := x.Zero(t)
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			v = x.HoldAll(x.outside(t))
			x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Not(irgen.IsNil(v[0]))})
		}
		out = append(out, v...)
	}
	return out
}

// surelyRecovers reports whether a function that recovers has surely been deferred here.
func (x *fn) surelyRecovers() bool {
	for _, d := range x.defers {
		if f := d.site.Call.StaticCallee(); d.list == nil && d.flag == nil && d.call != nil && f != nil && len(f.Blocks) > 0 && form.BlockRecovers(f.Blocks[0]) {
			return true
		}
	}
	return false
}

// calledByUser calls a function in the place of users, who do nothing afterwards with
// what they have if it has panicked.
func (x *fn) calledByUser(f *ssa.Function, args irgen.Value) irgen.Value {
	out := x.CallFunc(f, args, nil)
	if x.raising != nil && x.raising.fs[f] && x.below[f] {
		x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Bin("eq", x.Read(x.unwound()), ir.IntConst(ir.U8, irgen.Running))})
		x.p.Assume("recover", x.lowering.Pos(f.Pos()), "users do not go on with what they have where %s has panicked, and they recovered", x.FuncName(f))
	}
	return out
}

// recoversItself reports whether a library function recovers from panics of methods that
// it calls.
func recoversItself(g *ssa.Function) bool {
	if g.Pkg == nil {
		return false
	}
	switch g.Pkg.Pkg.Path() {
	case "fmt", "log", "log/slog":
		return true
	}
	return isTemplate(g)
}

func isTemplate(g *ssa.Function) bool {
	return g.Pkg != nil && (g.Pkg.Pkg.Path() == "text/template" || g.Pkg.Pkg.Path() == "html/template")
}
