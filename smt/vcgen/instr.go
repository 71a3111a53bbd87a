package vcgen

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/smt"
)

// instr updates the state for one instruction. What has no rule of its own makes the
// registers it writes arbitrary.
func (g *gen) instr(st *state, in ir.Instr) error {
	switch in := in.(type) {
	case *ir.Assign:
		st.regs[in.Dst] = g.tr.expr(st, in.X)
	case *ir.Load:
		g.load(st, in)
	case *ir.Store:
		g.store(st, in)
	case *ir.Assume:
		c := g.tr.expr(st, in.Cond)
		on, _ := g.branch(st, in.Cond, c)
		st.reach, st.free, st.tests = g.b.And(st.reach, c), on.free && c != g.b.False, on.tests
	case *ir.Assert:
		if id, ok := g.o.Asserts[in]; ok {
			g.prove(st, []Candidate{{ID: id, Cond: in.Cond}}, in.Pos)
		}
	case *ir.Alloc:
		g.alloc(st, in)
	case *ir.Call:
		return g.call(st, in)
	default:
		g.havoc(st, in)
	}
	return nil
}

// accessed assumes that the address of an access is not null, before what is asserted of
// the access.
func (g *gen) accessed(st *state, ins []ir.Instr) {
	for len(ins) > 1 {
		if _, ok := ins[0].(*ir.Assert); !ok {
			break
		}
		ins = ins[1:]
	}
	switch in := ins[0].(type) {
	case *ir.Load:
		g.followed(st, in.Addr)
	case *ir.Store:
		g.followed(st, in.Addr)
	}
}

// followed assumes that a pointer which a procedure returned, or which is null on some
// path, is not null where it is followed: executions do not go on there otherwise.
func (g *gen) followed(st *state, addr ir.Expr) {
	for {
		switch x := addr.(type) {
		case ir.FieldAddr:
			addr = x.Base
			continue
		case ir.IndexAddr:
			addr = x.Base
			continue
		case ir.Cast:
			addr = x.X
			continue
		case ir.Use:
			if p := g.tr.reg(st, x.Reg); g.returned(p) {
				st.reach = g.b.And(st.reach, g.b.Not(g.b.Eq(p, g.b.Num(0))))
			}
		}
		return
	}
}

// returned reports whether a value is a pointer that a procedure returned, as it is or
// made a value of its type again.
func (g *gen) returned(p *smt.Term) bool {
	for p != nil && !g.results[p] {
		p = g.tr.wrapped[p]
	}
	return p != nil
}

func (g *gen) havoc(st *state, in ir.Instr) {
	for _, r := range ir.Defs(in) {
		st.regs[r] = g.tr.fresh(r.Name, r.Type)
	}
	g.clobber(st, in, nil)
}

func (g *gen) clobber(st *state, in ir.Instr, keep *cell) {
	classes, broken := g.writes(in), g.breaks(in)
	for c := range st.mem {
		if (slices.Contains(classes, c.class) || slices.Contains(broken, c.class)) && (keep == nil || c != *keep) {
			delete(st.mem, c)
		}
	}
}

func (g *gen) load(st *state, in *ir.Load) {
	class, regions := Arbitrary, []int(nil)
	if g.o.Read != nil {
		class, regions = g.o.Read(in)
	}
	if g.o.Value != nil {
		if v := g.o.Value(in); v != nil {
			st.regs[in.Dst] = g.tr.expr(st, v)
			return
		}
	}
	switch {
	case class == Constant:
		st.regs[in.Dst] = g.constant(g.tr.expr(st, in.Addr), in.Dst.Type)
	case class == Private && len(regions) == 1:
		c := cell{regions[0], g.tr.expr(st, in.Addr), in.Dst.Type.Size()}
		v := st.mem[c]
		if v == nil || v.Sort != sortOf(in.Dst.Type) {
			v = g.tr.fresh(in.Dst.Name, in.Dst.Type)
			st.mem[c] = v
			g.pointers[v] = ir.IsPtr(in.Dst.Type)
		}
		// as an address, it names a cell of what it points to
		if st.regs[in.Dst] = v; !g.pointers[v] || !ir.IsPtr(in.Dst.Type) {
			st.regs[in.Dst] = g.tr.inType(v, in.Dst.Type)
		}
	default:
		if l := g.latchOf(in); l != nil {
			st.regs[in.Dst] = g.latchedLoad(st, in, l)
			return
		}
		st.regs[in.Dst] = g.tr.fresh(in.Dst.Name, in.Dst.Type)
	}
}

// constant is the value of type t at an address in memory that nothing writes.
func (g *gen) constant(addr *smt.Term, t ir.Type) *smt.Term {
	return g.tr.memo(fmt.Sprintf("mem%d", t.Size()), t, addr)
}

func (g *gen) store(st *state, in *ir.Store) {
	if l := g.latchOf(in); l != nil {
		defer g.latchedStore(st, in, l)
	}
	ws := g.writes(in)
	if len(ws) != 1 {
		g.clobber(st, in, nil)
		return
	}
	c := cell{ws[0], g.tr.expr(st, in.Addr), in.Val.Type().Size()}
	g.clobber(st, in, &c)
	v := g.tr.expr(st, in.Val)
	st.mem[c] = v
	g.pointers[v] = g.pointers[v] || ir.IsPtr(in.Val.Type())
}

// alloc yields the address of an object that lies above all globals.
func (g *gen) alloc(st *state, in *ir.Alloc) {
	a := g.b.Fresh("alloc", smt.Int)
	above := g.tr.made(a)
	if in.MayFail {
		above = g.b.Or(g.b.Eq(a, g.b.Num(0)), above)
	}
	g.axiom(a, above)
	if g.o.Zeros != nil {
		for _, z := range g.o.Zeros(in) {
			g.axiom(a, g.b.Or(g.b.Eq(a, g.b.Num(0)), g.b.Eq(g.constant(g.b.Add(a, g.b.Num(z.Offset)), z.T), g.b.Num(0))))
		}
	}
	st.regs[in.Dst] = a
	g.clobber(st, in, nil)
	if g.o.New == nil {
		return
	}
	for _, n := range g.o.New(in) {
		at := a
		if n.Offset != 0 {
			at = g.b.Add(a, g.b.Num(n.Offset))
		}
		st.mem[cell{n.Class, at, n.Size}] = g.b.Num(0)
	}
}

// call applies the summary of a procedure that was not inlined.
func (g *gen) call(st *state, in *ir.Call) error {
	s := g.o.Calls[in]
	if s == nil {
		return fmt.Errorf("call without a summary")
	}
	g.prove(st, s.Pre, in.Pos)
	var old []kept
	for _, k := range s.Keeps {
		old = append(old, kept{k, g.tr.reg(st, k.Reg)})
	}
	for _, r := range s.Modifies {
		st.regs[r] = g.tr.fresh(r.Name, r.Type)
	}
	if in.Dst != nil {
		st.regs[in.Dst] = g.tr.fresh(in.Dst.Name, in.Dst.Type)
		g.results[st.regs[in.Dst]] = ir.IsPtr(in.Dst.Type)
	}
	g.forgetCells(st, s.Writes)
	g.assume(st, s.Post)
	g.assumeKept(st, old)
	return nil
}
