package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/precise"
	"whoop/ir"
)

// consts finds SSA values that are always the address of one object: a variable or an
// object that is made once. With the address known, a lock in such an object is one lock
// for the whole program. It is an optimistic propagation over all functions: through
// parameters, results, captured variables, variables and struct fields that never hold
// anything else but nil: following nil panics. What may be nil as well (fact.null) is the
// address only where it is followed.
type consts struct {
	l     *lowering
	vals  map[ssa.Value]fact
	cells map[string]fact // what variables and fields hold
	wild  map[string]bool // types of pointers that are stored at addresses not known
	makes map[*ssa.Function][]*ssa.MakeClosure
	rets  map[*ssa.Function][]*ssa.Return
	fixed map[*ssa.Parameter]ir.Expr
	grown bool
	// assigned is nil where the lowering is not exact.
	assigned *precise.OnceAssigned
}

// fact is nothing yet (zero), one address, or anything (top). null: or nil.
type fact struct {
	addr ir.Expr
	top  bool
	null bool
}

func (f fact) join(g fact) fact {
	f.null = f.null || g.null
	g.null = f.null
	switch {
	case f.top || g.addr == nil && !g.top:
		return f
	case g.top || f.addr == nil:
		return g
	case ir.ExprString(f.addr) != ir.ExprString(g.addr):
		return fact{top: true, null: f.null}
	}
	return f
}

// findConsts propagates to the fixpoint.
func findConsts(l *lowering, fs []*ssa.Function, fixed map[*ssa.Parameter]ir.Expr) *consts {
	c := &consts{l: l, vals: map[ssa.Value]fact{}, cells: map[string]fact{}, wild: map[string]bool{},
		makes: map[*ssa.Function][]*ssa.MakeClosure{}, rets: map[*ssa.Function][]*ssa.Return{}, fixed: fixed}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MakeClosure:
					g := in.Fn.(*ssa.Function)
					c.makes[g] = append(c.makes[g], in)
				case *ssa.Return:
					c.rets[f] = append(c.rets[f], in)
				}
			}
		}
	}
	if l.Exact {
		c.assigned = precise.FindOnceAssigned(fs)
	}
	for c.grown = true; c.grown; {
		c.grown = false
		for _, f := range fs {
			c.function(f)
		}
	}
	return c
}

func (f fact) differs(g fact) bool {
	return f.top != g.top || f.null != g.null || (f.addr == nil) != (g.addr == nil)
}

func (c *consts) raise(v ssa.Value, g fact) {
	old := c.vals[v]
	n := old.join(g)
	if n.differs(old) {
		c.vals[v] = n
		c.grown = true
	}
}

func (c *consts) raiseCell(k string, g fact) {
	old := c.cells[k]
	n := old.join(g)
	if n.differs(old) {
		c.cells[k] = n
		c.grown = true
	}
}

func (c *consts) raiseWild(t types.Type) {
	if k := form.Key(t); !c.wild[k] {
		c.wild[k], c.grown = true, true
	}
}

// tracked types are those whose values are one address.
func tracked(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan:
		return true
	}
	return false
}

func (c *consts) function(f *ssa.Function) {
	for i, p := range f.Params {
		if tracked(p.Type()) {
			c.raise(p, c.parameter(f, i, p))
		}
	}
	for i, v := range f.FreeVars {
		if !tracked(v.Type()) {
			continue
		}
		for _, m := range c.makes[f] {
			c.raise(v, c.of(m.Bindings[i]))
		}
		if len(c.makes[f]) == 0 {
			c.raise(v, fact{top: true})
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok && tracked(v.Type()) {
				c.raise(v, c.compute(v))
			}
			c.effects(in)
		}
	}
}

// parameter joins what all calls pass.
func (c *consts) parameter(f *ssa.Function, i int, p *ssa.Parameter) fact {
	o := c.l.once
	if e := c.fixed[p]; e != nil {
		g := fact{addr: e}
		for _, s := range o.Sites[f] {
			g = g.join(c.argument(s, f, i))
		}
		return g
	}
	if !o.Known(f) || len(o.Sites[f]) == 0 {
		return fact{top: true}
	}
	var g fact
	for _, s := range o.Sites[f] {
		g = g.join(c.argument(s, f, i))
	}
	return g
}

func (c *consts) argument(s ssa.CallInstruction, f *ssa.Function, i int) fact {
	cc := s.Common()
	if form.CalleeOf(s) != f || i >= len(cc.Args) {
		return fact{top: true}
	}
	return c.of(cc.Args[i])
}

// of is what is known of a value.
func (c *consts) of(v ssa.Value) fact {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil && !c.l.Exact {
			return fact{null: true}
		}
		return fact{top: true}
	case *ssa.Global:
		return fact{addr: ir.GlobalAddr{Global: c.l.global(v)}}
	case *ssa.Function, *ssa.Builtin:
		return fact{top: true}
	}
	if !tracked(v.Type()) {
		return fact{top: true}
	}
	return c.vals[v]
}

func (c *consts) compute(v ssa.Value) fact {
	switch v := v.(type) {
	case *ssa.Alloc:
		if g := c.l.lifted[v]; g != nil {
			return fact{addr: ir.GlobalAddr{Global: g}}
		}
	case *ssa.MakeMap, *ssa.MakeChan:
		if g := c.l.lifted[v]; g != nil {
			return fact{addr: ir.GlobalAddr{Global: g}}
		}
	case *ssa.FieldAddr:
		return c.fieldAddr(v)
	case *ssa.Phi:
		var g fact
		for _, e := range v.Edges {
			g = g.join(c.of(e))
		}
		return g
	case *ssa.ChangeType:
		if c.sameMemory(v.X.Type(), v.Type()) {
			return c.of(v.X)
		}
	case *ssa.Call:
		return c.result(v, 0)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return c.result(call, v.Index)
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return c.load(v)
		}
	}
	return fact{top: true}
}

// sameMemory reports whether what values of two types lead to is accessed as one type. An
// object that is accessed as two has an address for each, and the conversion must be seen.
func (c *consts) sameMemory(a, b types.Type) bool {
	p, ok := a.Underlying().(*types.Pointer)
	q, also := b.Underlying().(*types.Pointer)
	return !ok || !also || ir.Equal(c.l.lay.Of(p.Elem()).Mem, c.l.lay.Of(q.Elem()).Mem)
}

func (c *consts) fieldAddr(v *ssa.FieldAddr) fact {
	f := c.of(v.X)
	if f.addr == nil {
		return fact{top: f.top}
	}
	s, ok := c.l.lay.Of(form.Deref(v.X.Type())).Mem.(*ir.Struct)
	if !ok || v.Field >= len(s.Fields) {
		return fact{top: true}
	}
	return fact{addr: ir.FieldAddr{Base: f.addr, S: s, Index: v.Field}}
}

func (c *consts) result(call *ssa.Call, i int) fact {
	f := form.CalleeOf(call)
	if f == nil || len(f.Blocks) == 0 {
		return fact{top: true}
	}
	var g fact
	for _, r := range c.rets[f] {
		g = g.join(c.of(r.Results[i]))
	}
	return g
}

// openCell is the name of the variables and fields that code outside the program may set.
const openCell = "open"

// cell names the variable or field at an address; "" where it is not known.
func (c *consts) cell(addr ssa.Value) string {
	if f, ok := addr.(*ssa.FieldAddr); ok {
		if c.l.LibraryMode && c.l.UsersSet(f) {
			return openCell
		}
		return "field " + form.Key(form.General(form.Deref(f.X.Type()))) + " " + strconv.Itoa(f.Field)
	}
	if f := c.of(addr); f.addr != nil {
		if g, ok := f.addr.(ir.GlobalAddr); ok {
			if c.l.setOutside[g.Global] {
				return openCell
			}
			return "variable " + g.Global.Name
		}
	}
	if a := form.LocalVariable(addr); a != nil && !c.l.Exact {
		return fmt.Sprintf("local %p", a) // all that its stores put there, in whichever call
	}
	return ""
}

func (c *consts) load(v *ssa.UnOp) fact {
	if c.wild[form.Key(v.Type())] || c.l.Exact && !c.assigned.Surely(v.X) {
		return fact{top: true}
	}
	if f := c.of(v.X); f.addr == nil && !f.top {
		return fact{}
	}
	k := c.cell(v.X)
	if k == "" || k == openCell {
		return fact{top: true}
	}
	f := c.cells[k]
	if a, member := v.X.(*ssa.FieldAddr); member &&
		(c.of(a).top && c.l.givenOther(a.X.Type()) || c.l.mayShare(a.X.Type())) {
		return fact{top: true}
	}
	f.null = !c.l.Exact // what it holds before the first store
	return f
}

// effects notes what an instruction stores.
func (c *consts) effects(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if !tracked(in.Val.Type()) {
			return
		}
		if _, element := in.Addr.(*ssa.IndexAddr); element {
			return
		}
		if f := c.of(in.Addr); f.addr == nil && !f.top {
			return
		}
		switch k := c.cell(in.Addr); k {
		case openCell: // nothing is known of it anyway
		case "":
			c.raiseWild(in.Val.Type())
		default:
			c.raiseCell(k, c.of(in.Val))
		}
	case *ssa.ChangeType:
		c.converted(in.X.Type(), in.Type())
	case *ssa.Convert:
		c.converted(in.X.Type(), in.Type())
	case ssa.CallInstruction:
		c.foreign(in.Common())
	}
}

// converted gives up on structs that are found as another type, since their fields have two
// names, and on all that an unsafe pointer leads to.
func (c *consts) converted(from, to types.Type) {
	for _, t := range []types.Type{from, to} {
		if _, ok := form.Deref(t).Underlying().(*types.Struct); ok || form.IsUnsafe(from) || form.IsUnsafe(to) {
			c.spoil(form.Deref(t), 0)
		}
	}
}

// foreign notes what a library function may store through the pointers it is given.
func (c *consts) foreign(cc *ssa.CallCommon) {
	f := cc.StaticCallee()
	if f == nil || len(form.Body(f).Blocks) > 0 || f.Object() == nil {
		return
	}
	o := f.Object().(*types.Func)
	if m := c.l.Models.Model(f); m == nil && c.l.Models.EffectOf(o) != library.OpTouch && c.l.Models.EffectOf(o) != library.OpFill {
		return
	}
	for _, a := range cc.Args {
		if p, ok := a.Type().Underlying().(*types.Pointer); ok {
			c.spoil(p.Elem(), 0)
		}
		if m, ok := a.(*ssa.MakeInterface); ok {
			if p, ok := m.X.Type().Underlying().(*types.Pointer); ok {
				c.spoil(p.Elem(), 0)
			}
		}
	}
}

// spoil gives up on all pointers in memory of a type.
func (c *consts) spoil(t types.Type, depth int) {
	if n, ok := types.Unalias(t).(*types.Named); ok && (n.Obj().Pkg() == nil || !c.l.Own[n.Obj().Pkg()]) {
		return
	}
	if tracked(t) {
		c.raiseWild(t)
	}
	if s, ok := t.Underlying().(*types.Struct); ok && depth < 8 {
		for i := range s.NumFields() {
			if f := s.Field(i).Type(); tracked(f) {
				c.raiseWild(f)
			} else {
				c.spoil(f, depth+1)
			}
		}
	}
}

// Known returns the constant address that a value is, or nil. The value may be nil as
// well: see mayBeNil.
func (l *lowering) Known(v ssa.Value) ir.Expr {
	if l.consts == nil {
		return nil
	}
	f := l.consts.vals[v]
	if f.top {
		return nil
	}
	return f.addr
}

// mayBeNil reports whether a value with a known address may also be nil.
func (l *lowering) mayBeNil(v ssa.Value) bool { return l.consts.vals[v].null }
