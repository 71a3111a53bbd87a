package golang

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Captured integers, channels, pointers, maps and functions that nobody writes once they
// are captured, as a method's receiver or the variable of a loop that has a new one in
// each iteration, lie in the function value itself: all who read them read the same. In
// the function that captures them they are registers, though the loop makes a new
// variable for each iteration, and in the closure, too: what a lock and what it protects
// are reached by is one register. A goroutine of such a function gets the integers as
// arguments, too, so that the numbers of a loop's goroutines are seen to be different.

// intVar is such a variable: an allocation, or several that are one after the other, as
// phis say.
type intVar struct {
	name    string
	members map[ssa.Value]bool // allocations and phis
	stores  map[ssa.Instruction]ssa.Value
	makes   []*ssa.MakeClosure
}

// copied is the captured variable that a value is the address of, in the function that
// has it or in those that capture it; nil where it is no such variable.
func (l *lowering) copied(v ssa.Value) *intVar {
	switch v := v.(type) {
	case *ssa.FreeVar:
		if b := binding(v); b != nil {
			return l.copied(b)
		}
	case *ssa.Alloc, *ssa.Phi:
		g, known := l.byValue[v]
		if !known {
			g = l.intVar(v)
			l.byValue[v] = g
			if g != nil {
				for m := range g.members {
					l.byValue[m] = g
				}
			}
		}
		return g
	}
	return nil
}

// intVar finds the variable that an address in its function belongs to.
func (l *lowering) intVar(v ssa.Value) *intVar {
	if !copyable(v) {
		return nil
	}
	g := capturedVar(v)
	if g == nil || len(g.members) == 1 && l.fixed(v) != nil {
		return nil
	}
	for m := range g.members {
		if fi, _ := l.framed(m); fi != nil {
			return nil
		}
	}
	return g
}

// copyable reports whether a value is the address of a variable that is one scalar.
func copyable(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	return ok && (unframed(v) || leads(p.Elem()))
}

// unframed reports whether a value is the address of an integer or a channel: those need
// no place in a frame, as what a lock in it protects does not depend on them.
func unframed(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ch := p.Elem().Underlying().(*types.Chan)
	return ch || isInteger(p.Elem())
}

// leads reports whether values of a type are one pointer.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Signature:
		return true
	}
	return false
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// settled reports whether an address is that of a slice or pointer that is not written
// any more once it is captured.
func (l *lowering) settled(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	if !ok || l.fixed(a) != nil {
		return false
	}
	switch deref(a.Type()).Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return capturedVar(a) != nil
	}
	return false
}

// capturedVar finds the variable of an address, where it is captured and is not written
// any more then.
func capturedVar(v ssa.Value) *intVar {
	g := &intVar{members: map[ssa.Value]bool{}, stores: map[ssa.Instruction]ssa.Value{}}
	work := []ssa.Value{v}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if g.members[m] {
			continue
		}
		g.members[m] = true
		switch m := m.(type) {
		case *ssa.Alloc:
			if !m.Heap {
				return nil
			}
			g.name = m.Comment
		case *ssa.Phi:
			work = append(work, m.Edges...)
		default:
			return nil
		}
		for _, r := range uses(m) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr != m || r.Val == m {
					return nil
				}
				g.stores[r] = m
			case *ssa.UnOp:
				if r.Op != token.MUL {
					return nil
				}
			case *ssa.MakeClosure:
				if !readOnly(r, m) {
					return nil
				}
				g.makes = append(g.makes, r)
			case *ssa.Phi:
				work = append(work, r)
			default:
				return nil
			}
		}
	}
	if len(g.makes) == 0 {
		return nil
	}
	for _, m := range g.makes {
		if g.writtenAfter(m) {
			return nil
		}
	}
	for m := range g.members {
		if a, ok := m.(*ssa.Alloc); ok && g.outlives(a) {
			return nil
		}
	}
	return g
}

// writtenAfter reports whether a variable may be written after a closure has captured it,
// before there is a new one.
func (g *intVar) writtenAfter(m *ssa.MakeClosure) bool {
	for st, to := range g.stores {
		made := to.(ssa.Instruction)
		if reaches(m, func(in ssa.Instruction) (stop, found bool) { return in == made, in == st }) {
			return true
		}
	}
	return false
}

// outlives reports whether an earlier variable may be used after a new one was made,
// under another name: then they are not one after the other.
func (g *intVar) outlives(a *ssa.Alloc) bool {
	for m := range g.members {
		if m == ssa.Value(a) {
			continue
		}
		at := m.(ssa.Instruction)
		used := func(u ssa.Instruction) bool {
			return reaches(a, func(in ssa.Instruction) (stop, found bool) { return in == at, in == u })
		}
		for _, u := range uses(m) {
			phi, ok := u.(*ssa.Phi)
			if !ok && used(u) {
				return true
			}
			// it is used where the way to the phi begins
			for i := 0; ok && i < len(phi.Edges); i++ {
				from := phi.Block().Preds[i]
				if phi.Edges[i] == m && used(from.Instrs[len(from.Instrs)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// reaches reports whether what is looked for may come after an instruction, on a way on
// which nothing stops it.
func reaches(after ssa.Instruction, look func(ssa.Instruction) (stop, found bool)) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var follow func(ins []ssa.Instruction, b *ssa.BasicBlock) bool
	follow = func(ins []ssa.Instruction, b *ssa.BasicBlock) bool {
		for _, in := range ins {
			stop, found := look(in)
			if found {
				return true
			}
			if stop {
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if follow(s.Instrs, s) {
					return true
				}
			}
		}
		return false
	}
	b := after.Block()
	for i, in := range b.Instrs {
		if in == after {
			return follow(b.Instrs[i+1:], b)
		}
	}
	return true
}

// readOnly reports whether the function of a closure only reads a variable that it
// captures, and so do those that it makes.
func readOnly(m *ssa.MakeClosure, v ssa.Value) bool {
	f := m.Fn.(*ssa.Function)
	for i, b := range m.Bindings {
		if b != v {
			continue
		}
		if binding(f.FreeVars[i]) != v {
			return false
		}
		for _, r := range uses(f.FreeVars[i]) {
			switch r := r.(type) {
			case *ssa.UnOp:
				if r.Op != token.MUL {
					return false
				}
			case *ssa.MakeClosure:
				if !readOnly(r, f.FreeVars[i]) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// variable is the register of a captured variable in the function that has it.
func (x *fn) variable(g *intVar, t types.Type) *ir.Reg {
	r := x.ints[g]
	if r == nil {
		r = x.reg(g.name, x.lay.of(t).leaves[0].t)
		x.ints[g] = r
	}
	return r
}

// numberedSuffix ends the names of goroutines that get what they captured as arguments,
// too.
const numberedSuffix = " (numbered)"

// copiedValue is the value of a captured variable.
func (x *fn) copiedValue(v ssa.Value) ir.Expr {
	t := deref(v.Type())
	if _, outer := v.(*ssa.FreeVar); outer {
		return x.load(t, x.one(v), ir.Plain)[0]
	}
	return ir.Use{Reg: x.variable(x.copied(v), t)}
}

// captureCopy is a variable of a closure's own with the value that it captured.
func (x *fn) captureCopy(v *ssa.FreeVar, at ir.Expr) ir.Expr {
	t := deref(v.Type())
	r := x.reg("&"+v.Name(), ir.Ptr{Elem: x.lay.of(t).mem})
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: x.lay.of(t).mem, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: v.Name()})
	val := x.load(t, at, ir.Plain)
	x.store(t, ir.Use{Reg: r}, val, ir.Plain)
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
		number = number || isInteger(p.Type())
	}
	at := func(y *fn, base ir.Expr, slot int, t ir.Type) ir.Expr {
		r := y.temp(t)
		y.emit(&ir.Load{Base: y.base(), Dst: r, Addr: ir.FieldAddr{Base: base, S: c.s, Index: slot}, Order: ir.Plain})
		return ir.Use{Reg: r}
	}
	for i, b := range m.Bindings {
		if slot := c.slots[i]; slot >= 0 && x.copied(b) != nil && isInteger(deref(b.Type())) {
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
		t := deref(b.Type())
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
				return y.load(t, ir.FieldAddr{Base: at(y, base, slot, ir.Ptr{Elem: fi.s}), S: fi.s, Index: c.index[i]}, ir.Plain)[0]
			}
			return y.load(t, at(y, base, slot, ir.Ptr{Elem: y.lay.of(t).mem}), ir.Plain)[0]
		}})
	}
	return out
}

// settledValue is what a settled variable holds when a closure captures it: what the one
// store that comes before has put there, or what is read.
func (x *fn) settledValue(v *ssa.Alloc, m *ssa.MakeClosure) ir.Expr {
	if st := onlyStore(v); st != nil && st.Block().Dominates(m.Block()) && (st.Block() != m.Block() || slices.Index(st.Block().Instrs, ssa.Instruction(st)) < slices.Index(m.Block().Instrs, ssa.Instruction(m))) {
		return x.val(st.Val)[0]
	}
	return x.load(deref(v.Type()), x.one(v), ir.Plain)[0]
}

// numbered gives a goroutine of a function value that was made right there, as arguments,
// some of what it captured.
func (x *fn) numbered(site ssa.Instruction, callee ir.Expr, args value) (ir.Expr, value) {
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
		if ir.ExprString(a) == ir.ExprString(x.one(m)) {
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
	all := append(value{}, args...)
	for _, p := range more {
		all = append(all, p.value)
	}
	if f := x.numbering[fa.Func]; f != nil {
		return ir.FuncAddr{Func: f}, all
	}
	f := &ir.Func{Name: x.unique("go " + plainName(fa.Func.Name) + numberedSuffix), Pos: fa.Func.Pos, Result: ir.Void{}}
	x.numbering[fa.Func] = f
	for i, a := range all {
		f.Params = append(f.Params, &ir.Reg{Name: "p" + itoa(i), Type: a.Type()})
	}
	x.p.Funcs = append(x.p.Funcs, f)
	y := newFn(x.lowering, nil, f)
	y.pos = f.Pos
	y.start(y.block("entry"))
	var to value
	for _, p := range f.Params {
		y.used[p.Name] = 1
		to = append(to, ir.Use{Reg: p})
	}
	base := ir.Cast{X: to[self], T: ir.Ptr{Elem: c.s}}
	for i, p := range more {
		found := p.find(y, base)
		y.emit(&ir.Assume{Base: y.base(), Cond: ir.Binary{Op: "eq", X: found, Y: to[len(args)+i]}})
	}
	in := &ir.Call{Base: y.base(), Callee: callee, Args: to[:len(args)]}
	if !ir.Equal(fa.Func.Result, ir.Void{}) {
		in.Dst = y.temp(fa.Func.Result)
	}
	y.emit(in)
	y.giveBack(nil)
	y.prune()
	return ir.FuncAddr{Func: f}, all
}
