package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// A WaitGroup that is a member of objects counts one thing where each object is new when
// Add(1) is called, and only its maker, or the goroutine that the maker gives it to,
// calls Done: that thread holds the WaitGroup's token exclusively until then; it and who
// has waited hold it shared afterwards. A second Done panics.

// ownGroup is a member of a struct type that is such a WaitGroup.
type ownGroup struct {
	t                  types.Type // of the WaitGroup
	field              *types.Var
	adds, dones, waits []ssa.CallInstruction
	bad                bool
	// gives are the go statements by which a maker gives the object away, with the
	// parameter that it is.
	gives map[*ssa.Go]int
}

// ownGroups finds them, by operation.
func (t *tokens) ownGroups(fs []*ssa.Function) {
	byField := map[*types.Var]*ownGroup{}
	var order []*ownGroup
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ssa.FieldAddr); ok {
					if g := groupField(byField, a); g != nil {
						if len(g.adds)+len(g.dones)+len(g.waits) == 0 && !g.bad {
							order = append(order, g)
						}
						g.collect(t, a)
					}
				}
			}
		}
	}
	t.own = map[ssa.Instruction]*ownGroup{}
	for _, g := range order {
		if !t.validOwn(g) {
			continue
		}
		for _, list := range [][]ssa.CallInstruction{g.adds, g.dones, g.waits} {
			for _, c := range list {
				t.own[c] = g
			}
		}
		for s, i := range g.gives {
			t.start[s] = append(t.start[s], startToken{mode: ir.Exclusive, given: g, param: i})
		}
	}
}

// groupField is the group that a member's address is of, if that is a WaitGroup that is
// not exported.
func groupField(by map[*types.Var]*ownGroup, a *ssa.FieldAddr) *ownGroup {
	st, ok := form.Deref(a.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	f := st.Field(a.Field).Origin()
	n, ok := types.Unalias(f.Type()).(*types.Named)
	if !ok || f.Exported() || f.Embedded() || n.Obj().Name() != "WaitGroup" || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" {
		return nil
	}
	g := by[f]
	if g == nil {
		g = &ownGroup{t: f.Type(), field: f, gives: map[*ssa.Go]int{}}
		by[f] = g
	}
	return g
}

// collect notes the operations on a member.
func (g *ownGroup) collect(t *tokens, a *ssa.FieldAddr) {
	for _, r := range form.Uses(a) {
		c, ok := r.(ssa.CallInstruction)
		if !ok || c.Common().StaticCallee() == nil || len(c.Common().Args) == 0 || c.Common().Args[0] != ssa.Value(a) {
			g.bad = true
			return
		}
		m := t.l.Models.Model(c.Common().StaticCallee())
		if _, isGo := r.(*ssa.Go); m == nil || isGo || t.l.constant_(a) != nil || t.l.overwritten.isWritten(a, g.t) {
			g.bad = true
			return
		}
		switch m.Op {
		case library.OpAdd:
			g.adds = append(g.adds, c)
		case library.OpDone:
			g.dones = append(g.dones, c)
		case library.OpWait:
			g.waits = append(g.waits, c)
		default:
			g.bad = true
		}
	}
}

// validOwn reports whether all objects are new when something is added, and who calls
// Done has the object from there.
func (t *tokens) validOwn(g *ownGroup) bool {
	if g.bad || len(g.adds) == 0 {
		return false
	}
	made := map[*ssa.Alloc]bool{}
	for _, c := range g.adds {
		a := addedWhenNew(c)
		if a == nil || made[a] || !t.oneHandler(g, a) {
			return false
		}
		made[a] = true
	}
	for _, d := range g.dones {
		if form.OnCycle(d.Block()) || !t.from(d.Common().Args[0].(*ssa.FieldAddr).X, made, d.Parent(), 0) {
			return false
		}
	}
	return true
}

// addedWhenNew is the object whose WaitGroup counts one where nobody else has the object
// yet; nil for other calls of Add.
func addedWhenNew(c ssa.CallInstruction) *ssa.Alloc {
	call, ok := c.(*ssa.Call)
	if !ok {
		return nil
	}
	n, ok := call.Call.Args[1].(*ssa.Const)
	a, isAlloc := call.Call.Args[0].(*ssa.FieldAddr).X.(*ssa.Alloc)
	if !ok || n.Int64() != 1 || !isAlloc || a.Block() != call.Block() {
		return nil
	}
	after := false
	for _, in := range a.Block().Instrs {
		switch x := in.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			continue
		case *ssa.Store:
			if x.Val != ssa.Value(a) {
				continue
			}
		case *ssa.Call:
			if x == call {
				return a
			}
		}
		after = after || in == ssa.Instruction(a)
		for _, op := range in.Operands(nil) {
			if after && *op == ssa.Value(a) {
				return nil
			}
		}
	}
	return nil
}

// oneHandler reports whether the maker gives the object to one call or go statement at
// most, on each way through it, and notes the latter.
func (t *tokens) oneHandler(g *ownGroup, a *ssa.Alloc) bool {
	var before []ssa.CallInstruction
	for _, r := range form.Uses(a) {
		c, ok := r.(ssa.CallInstruction)
		switch {
		case !ok:
			if _, closure := r.(*ssa.MakeClosure); closure {
				return false
			}
			if st, isStore := r.(*ssa.Store); isStore && st.Val == ssa.Value(a) {
				if _, local := st.Addr.(*ssa.Alloc); local { // a variable, which a closure may have
					return false
				}
			}
			continue
		case form.IsBuiltin(c):
			continue
		}
		if form.OnCycle(c.Block()) || form.CalleeOf(c) == nil ||
			form.CalleeOf(c) != c.Common().StaticCallee() || len(form.CalleeOf(c).Blocks) == 0 {
			return false
		}
		for _, other := range before {
			if form.Follows(c, other) || form.Follows(other, c) {
				return false
			}
		}
		before = append(before, c)
		if s, isGo := c.(*ssa.Go); isGo {
			for i, x := range c.Common().Args {
				if x == ssa.Value(a) {
					g.gives[s] = i
				}
			}
		}
	}
	return true
}

// from reports whether an object, which a function has, is surely one that one of the
// makers made and holds: the function is a maker, runs for one, or is what a maker gave
// the object to.
func (t *tokens) from(v ssa.Value, made map[*ssa.Alloc]bool, f *ssa.Function, depth int) bool {
	if depth > 10 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Alloc:
		return made[x] && x.Parent() == f
	case *ssa.UnOp:
		st := form.VariableStore(x)
		return st != nil && t.sameThread(f, st.Parent()) && t.from(st.Val, made, st.Parent(), depth+1)
	case *ssa.FreeVar:
		b := form.Binding(x)
		return b != nil && t.sameThread(f, f.Parent()) && t.from(b, made, f.Parent(), depth+1)
	case *ssa.Parameter:
		return t.fromSites(x, made, depth)
	}
	return false
}

// fromSites asks the same of what all calls of a function pass.
func (t *tokens) fromSites(p *ssa.Parameter, made map[*ssa.Alloc]bool, depth int) bool {
	f, o := p.Parent(), t.l.once
	if !o.Known(f) || len(o.Sites[f]) == 0 {
		return false
	}
	i := 0
	for f.Params[i] != p {
		i++
	}
	for _, s := range o.Sites[f] {
		if i >= len(s.Common().Args) || s.Common().StaticCallee() != f {
			return false
		}
		a := s.Common().Args[i]
		if _, isGo := s.(*ssa.Go); isGo {
			if m, ok := a.(*ssa.Alloc); !ok || !made[m] {
				return false
			}
		}
		if !t.from(a, made, s.Parent(), depth+1) {
			return false
		}
	}
	return true
}

// sameThread reports whether a closure runs in the thread of the function that it is in,
// while that runs.
func (t *tokens) sameThread(f, outer *ssa.Function) bool {
	for f != outer {
		sites := t.l.once.Sites[f]
		if !t.l.once.Known(f) || len(sites) != 1 || form.CalleeOf(sites[0]) != f {
			return false
		}
		if _, isGo := sites[0].(*ssa.Go); isGo || form.OnCycle(sites[0].Block()) {
			return false
		}
		f = f.Parent()
	}
	return true
}

// token is the address that stands for the token of an object's group.
func (t *tokens) token(g *ownGroup, object ir.Expr, of types.Type) ir.Expr {
	s := t.l.lay.Of(of).Mem.(*ir.Struct)
	st := of.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Origin() == g.field {
			w := t.l.lay.Of(g.t).Mem.(*ir.Struct)
			return ir.FieldAddr{Base: ir.FieldAddr{Base: irgen.Typed(object, ir.Ptr{Elem: s}), S: s, Index: i}, S: w, Index: 1}
		}
	}
	panic("the struct has no such member")
}

// ownOp emits what an operation on an own group does to the token; wait and done come
// after it.
func (t *tokens) ownOp(x *fn, op library.Op, group ir.Expr) {
	g := t.own[x.Site]
	if g == nil {
		return
	}
	w := t.l.lay.Of(g.t).Mem.(*ir.Struct)
	at := ir.FieldAddr{Base: irgen.Typed(group, ir.Ptr{Elem: w}), S: w, Index: 1}
	switch op {
	case library.OpAdd:
		x.Emit(&ir.Lock{Base: x.Base(), Lock: at, Mode: ir.Exclusive, Class: ir.GhostOrder})
	case library.OpDone:
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: at, Mode: ir.Exclusive, Class: ir.GhostOrder})
	case library.OpWait, "counted":
		x.Emit(&ir.Lock{Base: x.Base(), Lock: at, Mode: ir.Shared, Class: ir.GhostOrder})
	}
}
