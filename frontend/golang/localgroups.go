package golang

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// WaitGroups that are variables of functions which may run several times, several runs at
// once:
//
//	var wg sync.WaitGroup
//	for i := range xs { wg.Add(1); go func() { defer wg.Done(); out[i] = f(xs[i]) }() }
//	wg.Wait()
//
// Each run has its own. The token of such a group lies in the variable, so that it is one
// of that run: its goroutines hold it shared from their start until they call Done, and
// the run exclusively once it has waited. The variables that escape from a run are one
// object (see frameInfo), which has the token then. The group may be a member of a
// variable that is a struct.

// taker is a goroutine's function that takes the token of a group at its start.
type taker struct {
	g *group
	// at is what leads to the group there: the variable itself, or another one of the
	// same frame.
	at part
	wg *ssa.Alloc
}

// A part is a member of what a value is the address of, by the fields on the way.
type part struct {
	of   ssa.Value
	path []int
}

// address is the address of a part.
func (x *fn) address(p part) ir.Expr { return x.inside(x.One(p.of), form.Deref(p.of.Type()), p.path) }

// inside is the address of a part of a struct.
func (x *fn) inside(at ir.Expr, t types.Type, path []int) ir.Expr {
	for _, i := range path {
		s := x.lay.Of(t).Mem.(*ir.Struct)
		at = ir.FieldAddr{Base: irgen.Typed(at, ir.Ptr{Elem: s}), S: s, Index: i}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return at
}

// groupsIn are the groups that a variable of a type is, or has as members.
func (t *tokens) groupsIn(typ types.Type, path []int, found func(types.Type, []int)) {
	if t.l.isGroup(types.NewPointer(typ)) {
		found(typ, slices.Clone(path))
		return
	}
	st, ok := typ.Underlying().(*types.Struct)
	if _, _, special := t.l.Special(types.Unalias(typ)); !ok || special || len(path) == maxGroupDepth {
		return
	}
	if s, ok := t.l.lay.Of(typ).Mem.(*ir.Struct); !ok || len(s.Fields) < st.NumFields() {
		return
	}
	for i := range st.NumFields() {
		t.groupsIn(st.Field(i).Type(), append(path, i), found)
	}
}

// maxGroupDepth is how deep in structs groups are looked for.
const maxGroupDepth = 3

// localGroups finds these groups. All their operations are known.
func (t *tokens) localGroups(fs []*ssa.Function) {
	for _, f := range fs {
		for _, b := range f.Blocks {
			if form.OnCycle(b) {
				continue
			}
			for _, in := range b.Instrs {
				if a, ok := in.(*ssa.Alloc); ok && t.l.fixed(a) == nil {
					t.groupsIn(form.Deref(a.Type()), nil, func(typ types.Type, path []int) {
						t.localGroup(f, a, typ, path)
					})
				}
			}
		}
	}
}

// localGroup looks at one group.
func (t *tokens) localGroup(f *ssa.Function, a *ssa.Alloc, typ types.Type, path []int) {
	g := &group{t: typ, local: true, home: f, path: path}
	is, ok := t.groupUses(g, a)
	if !ok {
		return
	}
	key := fmt.Sprint("local ", f, " ", a.Name(), path)
	for _, list := range [][]ssa.CallInstruction{g.adds, g.dones, g.waits, g.gos} {
		for _, c := range list {
			t.keys[c] = key
		}
	}
	t.groups[key] = g
	g.is = is
	if g.ok = t.validLocal(g, f); !g.ok {
		t.lateWaits(g)
		return
	}
	t.waitElsewhere(g)
	if g.waitedBeside() {
		t.lateWaits(g)
	}
	starts := func(sf *ssa.Function) {
		if v, ok := is[sf]; ok {
			t.takers[sf] = append(t.takers[sf], taker{g, v, a})
			return
		}
		fi, _ := t.l.framed(a)
		for _, v := range sf.FreeVars {
			if other, _ := t.l.framed(v); fi != nil && other == fi {
				t.takers[sf] = append(t.takers[sf], taker{g, part{v, path}, a})
				return
			}
		}
	}
	var done []*ssa.Function
	for _, s := range g.sites {
		if sf := form.CalleeOf(s); !slices.Contains(done, sf) {
			done = append(done, sf)
			starts(sf)
		}
	}
	for _, s := range g.gos {
		starts(form.StaticFunc(s.Common().Args[1]))
	}
}

// groupUses follows a group's variable, through closures and the parameters of functions
// whose calls are all known, and notes the operations on it. It returns what the variable
// is in these functions; ok is false where something else is done with it.
func (t *tokens) groupUses(g *group, a *ssa.Alloc) (is map[*ssa.Function]part, ok bool) {
	is = map[*ssa.Function]part{a.Parent(): {a, g.path}}
	n := &numbers{l: t.l}
	work := []part{{a, g.path}}
	has := func(f *ssa.Function) bool { _, ok := is[f]; return ok }
	for len(work) > 0 {
		at := work[len(work)-1]
		v := at.of
		work = work[:len(work)-1]
		for _, u := range form.Uses(v) {
			switch u := u.(type) {
			case *ssa.FieldAddr:
				if len(at.path) == 0 {
					return nil, false
				}
				if u.Field == at.path[0] {
					work = append(work, part{u, at.path[1:]})
				}
			case *ssa.MakeClosure:
				f := u.Fn.(*ssa.Function)
				for i, b := range u.Bindings {
					if b != v {
						continue
					}
					if form.Binding(f.FreeVars[i]) != v || has(f) {
						return nil, false
					}
					is[f] = part{f.FreeVars[i], at.path}
					work = append(work, is[f])
				}
			case ssa.CallInstruction:
				if len(at.path) == 0 && t.groupOp(g, u, v) {
					continue
				}
				f := form.CalleeOf(u)
				i := slices.Index(u.Common().Args, v)
				if f == nil || len(f.Blocks) == 0 || i < 0 || i >= len(f.Params) || !n.known(f) || n.argument(f.Params[i]) != v || slices.Contains(u.Common().Args[i+1:], v) || has(f) {
					return nil, false
				}
				is[f] = part{f.Params[i], at.path}
				work = append(work, is[f])
			default:
				return nil, false
			}
		}
	}
	return is, true
}

// groupOp notes a call that is an operation on a group; false for other calls.
func (t *tokens) groupOp(g *group, c ssa.CallInstruction, v ssa.Value) bool {
	f := c.Common().StaticCallee()
	if f == nil {
		return false
	}
	m := t.l.Models.Model(f)
	if m == nil || len(c.Common().Args) == 0 || c.Common().Args[0] != v || slices.Contains(c.Common().Args[1:], v) {
		return false
	}
	return g.note(m.Op, c)
}

// validLocal is valid for a group of each run of home: that adds, starts and waits, and
// every goroutine that counts down was counted before, and counts down once.
func (t *tokens) validLocal(g *group, home *ssa.Function) bool {
	if len(g.waits) == 0 || !form.OnlyCalls(g.adds, g.gos) {
		return false
	}
	if slices.ContainsFunc(slices.Concat(g.adds, g.gos), func(c ssa.CallInstruction) bool { return c.Parent() != home }) {
		return false
	}
	for i, d := range g.dones {
		f := t.goroutineOf(d)
		if f == nil {
			return false
		}
		for _, e := range g.dones[:i] {
			if t.goroutineOf(e) == f {
				return false // it may count down twice
			}
		}
		for _, s := range t.l.once.Sites[f] {
			if s.Parent() != home {
				return false
			}
			g.sites = append(g.sites, s)
		}
	}
	for _, c := range g.gos {
		sf := form.StaticFunc(c.Common().Args[1])
		if !t.l.once.Known(sf) || len(t.l.once.Sites[sf]) != 1 {
			return false
		}
	}
	return t.waitsFor(g) && newCounts(g, t.fixed).covered()
}

// solo is the token of a goroutine of which each run of a function starts one: it lies
// among the variables of that run.
type solo struct {
	fi    *frameInfo
	index int
	at    ssa.Value // a variable of the frame, in the goroutine's function
}

// soloGoroutines finds the goroutines that are started by one go statement, not in a
// loop, and that capture variables of the run that starts them: of two runs of the
// goroutine's function, each has variables of its own.
func (t *tokens) soloGoroutines(fs []*ssa.Function) {
	for _, f := range fs {
		fi := t.l.frames[f]
		if fi == nil {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if !ok || form.OnCycle(b) {
					continue
				}
				sf := world.RunsOnce(t.l.World, c)
				if _, started := c.(*ssa.Go); started {
					sf = form.CalleeOf(c)
				}
				o := t.l.once
				if !o.Known(sf) || len(o.Sites[sf]) != 1 {
					continue
				}
				for _, v := range sf.FreeVars {
					if other, _ := t.l.framed(v); other == fi {
						t.solos[sf] = solo{fi, len(fi.s.Fields), v}
						fi.s.Fields = append(fi.s.Fields, ir.Field{Name: "__go" + strconv.Itoa(len(fi.s.Fields)), Type: ir.U32, Offset: fi.s.Bytes})
						fi.s.Bytes += 8
						break
					}
				}
			}
		}
	}
}

// starting takes the tokens with which a goroutine's function begins.
func (t *tokens) starting(x *fn) {
	t.run.begin(x)
	if s, ok := t.solos[x.Sf]; ok {
		if at, ok := x.One(s.at).(ir.FieldAddr); ok && at.S == s.fi.s {
			x.Emit(&ir.Lock{Base: x.Base(), Lock: ir.FieldAddr{Base: at.Base, S: s.fi.s, Index: s.index}, Mode: ir.Exclusive, Class: ir.GhostOrder})
		}
	}
	for _, k := range t.takers[x.Sf] {
		x.Emit(&ir.Lock{Base: x.Base(), Lock: t.orderIn(x, k), Mode: ir.Shared, Class: ir.GhostOrder})
	}
}

// orderIn is the address of a group's token in a goroutine's function.
func (t *tokens) orderIn(x *fn, k taker) ir.Expr {
	if at, ok := x.One(k.at.of).(ir.FieldAddr); ok {
		if fi, i := t.l.framed(k.wg); fi != nil && at.S == fi.s {
			v := ir.FieldAddr{Base: at.Base, S: fi.s, Index: i}
			return t.orderOf(k.g, x.inside(v, form.Deref(k.wg.Type()), k.g.path))
		}
	}
	return t.orderOf(k.g, x.address(k.at))
}

// orderOf is the address of the token of a group at an address.
func (t *tokens) orderOf(g *group, at ir.Expr) ir.Expr {
	w := t.l.lay.Of(g.t).Mem.(*ir.Struct)
	return ir.FieldAddr{Base: irgen.Typed(at, ir.Ptr{Elem: w}), S: w, Index: 1}
}
