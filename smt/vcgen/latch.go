package vcgen

import (
	"math/big"

	"whoop/ir"
	"whoop/smt"
)

// A latch is a class of memory whose cells, once they hold a certain value, hold it for
// good: whoever writes them writes that value, but for the memory's makers, before others
// know it. So a thread that has seen the value in a cell, or has stored it there, will
// find it there, whatever other threads do. Classes of latches are negative numbers; what
// is remembered of a cell (state.mem) is a value that is the latch's if the cell is known
// to hold that, and says nothing otherwise.

// Latch is such a class; Value is the value that stays.
type Latch struct {
	Class int
	Value *big.Int
}

// LatchCell is a cell of a latch: Size bytes at Addr.
type LatchCell struct {
	Latch
	Addr ir.Expr
	Size int64
}

// latchOf is the latch of a load or store; nil for others.
func (g *gen) latchOf(in ir.Instr) *Latch {
	if g.o.Latch == nil {
		return nil
	}
	return g.o.Latch(in)
}

// latchedLoad is the value of a load from a latch: the latch's, where that is known, and
// arbitrary otherwise.
func (g *gen) latchedLoad(st *state, in *ir.Load, l *Latch) *smt.Term {
	c := cell{l.Class, g.tr.expr(st, in.Addr), in.Dst.Type.Size()}
	v := g.tr.fresh(in.Dst.Name, in.Dst.Type)
	if v.Sort != smt.Int {
		return v
	}
	delete(g.tr.open, v)
	if known := st.mem[c]; known != nil {
		v = g.b.Ite(g.b.Eq(known, g.b.Big(l.Value)), g.b.Big(l.Value), v)
	}
	st.mem[c] = v
	return v
}

// latchedStore notes that a store puts the latch's value into a cell, or, in memory that
// nobody else knows, another one.
func (g *gen) latchedStore(st *state, in *ir.Store, l *Latch) {
	v := g.tr.expr(st, in.Val)
	if v.Op == smt.OpNum && v.Val.Cmp(l.Value) == 0 {
		st.mem[cell{l.Class, g.tr.expr(st, in.Addr), in.Val.Type().Size()}] = v
	}
}

// latched is a candidate's condition, or that its cell of constant memory is zero, or
// that its cell of a latch holds that one's value; make remembers a cell that is not
// known yet.
func (g *gen) latched(st *state, c Candidate, make bool) *smt.Term {
	cond := g.tr.expr(st, c.Cond)
	if c.Zero != nil {
		cond = g.b.Or(cond, g.b.Eq(g.constant(g.tr.expr(st, c.Zero.Addr), c.Zero.T), g.b.Num(0)))
	}
	if c.Unless == nil {
		return cond
	}
	addr := g.cellAddrs[c.Unless]
	if addr == nil {
		addr = g.tr.expr(st, c.Unless.Addr)
	}
	at := cell{c.Unless.Class, addr, c.Unless.Size}
	known := st.mem[at]
	if known == nil {
		if !make {
			return cond
		}
		known = g.b.Fresh("latched", smt.Int)
		st.mem[at] = known
	}
	return g.b.Or(cond, g.b.Eq(known, g.b.Big(c.Unless.Value)))
}

// breaks are the classes of latches that an instruction may open again.
func (g *gen) breaks(in ir.Instr) []int {
	if g.o.Breaks == nil {
		return nil
	}
	return g.o.Breaks(in)
}
