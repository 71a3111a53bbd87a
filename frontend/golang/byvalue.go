package golang

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Captured integers, channels, pointers, maps and functions that nobody writes once they
// are captured, as a method's receiver or the variable of a loop that has a new one in
// each iteration, lie in the function value itself: all who read them read the same. In
// the function that captures them they are registers, though the loop makes a new
// variable for each iteration, and in the closure, too: what a lock and what it protects
// are reached by is one register. A goroutine of such a function gets the integers as
// arguments, too, so that the numbers of a loop's goroutines are seen to be different.

// copied is the captured variable that a value is the address of, in the function that
// has it or in those that capture it; nil where it is no such variable.
func (l *lowering) copied(v ssa.Value) *form.IntVar {
	switch v := v.(type) {
	case *ssa.FreeVar:
		if b := form.Binding(v); b != nil {
			return l.copied(b)
		}
	case *ssa.Alloc, *ssa.Phi:
		g, known := l.byValue[v]
		if !known {
			g = l.intVar(v)
			l.byValue[v] = g
			if g != nil {
				for m := range g.Members {
					l.byValue[m] = g
				}
			}
		}
		return g
	}
	return nil
}

// intVar finds the variable that an address in its function belongs to.
func (l *lowering) intVar(v ssa.Value) *form.IntVar {
	if !form.Copyable(v) {
		return nil
	}
	g := form.CapturedVar(v)
	if g == nil || len(g.Members) == 1 && l.fixed(v) != nil {
		return nil
	}
	for m := range g.Members {
		if fi, _ := l.framed(m); fi != nil {
			return nil
		}
	}
	return g
}

// keptInFrame is the captured pointer, map or function that lies in the frame of its
// function and that nobody writes once it is captured; nil for others. Who reads it in
// the function that has it, or in a closure, reads what it was when it was captured:
// that is in a register, and what is read from the frame is known to be the same.
// The frame stays: it tells which lock belongs to what the variable leads to.
func (l *lowering) keptInFrame(v ssa.Value) *form.IntVar {
	switch v := v.(type) {
	case *ssa.FreeVar:
		if b := form.Binding(v); b != nil {
			return l.keptInFrame(b)
		}
	case *ssa.Alloc:
		fi, _ := l.framed(v)
		if fi == nil || l.Exact || !form.Leads(form.Deref(v.Type())) {
			return nil
		}
		g, known := l.inFrames[v]
		if !known {
			if g = form.CapturedVar(v); g != nil && len(g.Members) > 1 {
				g = nil
			}
			l.inFrames[v] = g
		}
		return g
	}
	return nil
}

// readFrame reads a variable that keptInFrame knows: was is what it is.
func (x *fn) readFrame(v ssa.Value, was ir.Expr) irgen.Value {
	in := x.Load(form.Deref(v.Type()), x.One(v), ir.Plain)
	x.Emit(&ir.Assume{Base: x.Base(), Cond: ir.Binary{Op: "eq", X: in[0], Y: was}})
	return in
}

// settled reports whether an address is that of a slice or pointer that is not written
// any more once it is captured.
func (l *lowering) settled(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	if !ok || l.fixed(a) != nil {
		return false
	}
	switch form.Deref(a.Type()).Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return form.CapturedVar(a) != nil
	}
	return false
}

// variable is the register of a captured variable in the function that has it.
func (x *fn) variable(g *form.IntVar, t types.Type) *ir.Reg {
	r := x.ints[g]
	if r == nil {
		r = x.Reg(g.Name, x.lay.Of(t).Leaves[0].T)
		x.ints[g] = r
	}
	return r
}

// copiedValue is the value of a captured variable.
func (x *fn) copiedValue(v ssa.Value) ir.Expr {
	t := form.Deref(v.Type())
	if _, outer := v.(*ssa.FreeVar); outer {
		return x.Load(t, x.One(v), ir.Plain)[0]
	}
	return ir.Use{Reg: x.variable(x.copied(v), t)}
}

// captureCopy is a variable of a closure's own with the value that it captured.
func (x *fn) captureCopy(v *ssa.FreeVar, at ir.Expr) ir.Expr {
	t := form.Deref(v.Type())
	r := x.Reg("&"+v.Name(), ir.Ptr{Elem: x.lay.Of(t).Mem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: x.lay.Of(t).Mem, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: v.Name()})
	val := x.Load(t, at, ir.Plain)
	x.Store(t, ir.Use{Reg: r}, val, ir.Plain)
	x.capturedVals[v] = val
	return ir.Use{Reg: r}
}

// passed is what a goroutine gets as an argument, too, that it finds by what it captured.
type passed struct {
	value ir.Expr
	find  func(y *fn, base ir.Expr) ir.Expr // the same, in the goroutine, from its function value
}

// alsoPassed are the integers that a function value captured, and the addresses of
// arrays, where the goroutine has a number.
func (x *fn) alsoPassed(m *ssa.MakeClosure, c *context) []passed {
	var out []passed
	number := false
	for p := range m.Fn.(*ssa.Function).Signature.Params().Variables() {
		number = number || form.IsInteger(p.Type())
	}
	at := func(y *fn, base ir.Expr, slot int, t ir.Type) ir.Expr {
		r := y.Temp(t)
		y.Emit(&ir.Load{Base: y.Base(), Dst: r, Addr: ir.FieldAddr{Base: base, S: c.s, Index: slot}, Order: ir.Plain})
		return ir.Use{Reg: r}
	}
	for i, b := range m.Bindings {
		if slot := c.slots[i]; slot >= 0 && x.copied(b) != nil && form.IsInteger(form.Deref(b.Type())) {
			v := x.copiedValue(b)
			number = true
			out = append(out, passed{v, func(y *fn, base ir.Expr) ir.Expr { return at(y, base, slot, v.Type()) }})
		}
	}
	if !number {
		return nil
	}
	for i, b := range m.Bindings {
		slot, fi := c.slots[i], c.frame[i]
		if slot < 0 || !x.settled(b) {
			continue
		}
		t := form.Deref(b.Type())
		if x.copied(b) != nil {
			v := x.copiedValue(b)
			out = append(out, passed{v, func(y *fn, base ir.Expr) ir.Expr {
				return at(y, base, slot, v.Type())
			}})
			continue
		}
		v := x.settledValue(b.(*ssa.Alloc), m)
		out = append(out, passed{v, func(y *fn, base ir.Expr) ir.Expr {
			if fi != nil {
				return y.Load(t, ir.FieldAddr{Base: at(y, base, slot, ir.Ptr{Elem: fi.s}), S: fi.s, Index: c.index[i]}, ir.Plain)[0]
			}
			return y.Load(t, at(y, base, slot, ir.Ptr{Elem: y.lay.Of(t).Mem}), ir.Plain)[0]
		}})
	}
	return out
}

// settledValue is what a settled variable holds when a closure captures it: what the one
// store that comes before has put there, or what is read.
func (x *fn) settledValue(v *ssa.Alloc, m *ssa.MakeClosure) ir.Expr {
	if st := form.OnlyStore(v); st != nil && st.Block().Dominates(m.Block()) && (st.Block() != m.Block() || slices.Index(st.Block().Instrs, ssa.Instruction(st)) < slices.Index(m.Block().Instrs, ssa.Instruction(m))) {
		return x.Val(st.Val)[0]
	}
	return x.Load(form.Deref(v.Type()), x.One(v), ir.Plain)[0]
}

// numbered gives a goroutine of a function value that was made right there, as arguments,
// some of what it captured.
func (x *fn) numbered(site ssa.Instruction, callee ir.Expr, args irgen.Value) (ir.Expr, irgen.Value) {
	g, ok := site.(*ssa.Go)
	if !ok {
		return callee, args
	}
	m, ok := g.Call.Value.(*ssa.MakeClosure)
	fa, static := callee.(ir.FuncAddr)
	if !ok || !static {
		return callee, args
	}
	c, self := x.contextOf(m.Fn.(*ssa.Function)), -1
	for i, a := range args {
		if ir.ExprString(a) == ir.ExprString(x.One(m)) {
			self = i
		}
	}
	if self < 0 {
		return callee, args
	}
	more := x.alsoPassed(m, c)
	if len(more) == 0 {
		return callee, args
	}
	all := append(irgen.Value{}, args...)
	for _, p := range more {
		all = append(all, p.value)
	}
	if f := x.numbering[fa.Func]; f != nil {
		return ir.FuncAddr{Func: f}, all
	}
	f := &ir.Func{Name: x.Unique("go " + ir.PlainName(fa.Func.Name) + ir.NumberedSuffix), Pos: fa.Func.Pos, Result: ir.Void{}}
	x.numbering[fa.Func] = f
	for i, a := range all {
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
	base := ir.Cast{X: to[self], T: ir.Ptr{Elem: c.s}}
	for i, p := range more {
		found := p.find(y, base)
		y.Emit(&ir.Assume{Base: y.Base(), Cond: ir.Binary{Op: "eq", X: found, Y: to[len(args)+i]}})
	}
	in := &ir.Call{Base: y.Base(), Callee: callee, Args: to[:len(args)]}
	if !ir.Equal(fa.Func.Result, ir.Void{}) {
		in.Dst = y.Temp(fa.Func.Result)
	}
	y.Emit(in)
	y.GiveBack(nil)
	y.Prune()
	return ir.FuncAddr{Func: f}, all
}
