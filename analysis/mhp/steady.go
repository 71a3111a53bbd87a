package mhp

import (
	"math/big"

	"whoop/ir"
)

// steadyLoads replaces the registers that e reads and that the loop head loads from a
// global which does not change: by the initial value where nothing writes it at all, by a
// symbol where nothing can write it once the loop is entered.
func (w *world) steadyLoads(head *ir.Block, e ir.Expr) ir.Expr {
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		u, ok := x.(ir.Use)
		if !ok || len(w.defs[u.Reg]) != 1 || w.cg.blockOf(w.defs[u.Reg][0]) != head {
			return x
		}
		ld, ok := w.defs[u.Reg][0].(*ir.Load)
		if !ok {
			return x
		}
		c := w.place(w.cg.fnOf(ld), w.expand(head, w.indexOf[ld], ld.Addr), nil)
		if c == nil || c.global == nil || c.idx != "" || c.global.Extern {
			return x
		}
		written, later := w.writes(ld, head)
		t, isInt := u.Reg.Type.(ir.Int)
		switch {
		case later:
			return x
		case !written && isInt:
			if k := initial(c, t); k != nil {
				return *k
			}
		}
		return ir.OpaqueConst{T: u.Reg.Type, Text: "*" + ir.ExprString(ld.Addr)}
	})
}

// writes reports whether anything writes what ld reads, and whether that may be once head
// is reached (or elsewhere than in its function, at any time).
func (w *world) writes(ld *ir.Load, head *ir.Block) (written, later bool) {
	as := w.al.Accesses(ld)
	if len(as) == 0 {
		return true, true
	}
	f := w.cg.fnOf(ld)
	after := reachableFrom(head, nil)
	for _, a := range as {
		if a.Unknown || len(a.Regions) == 0 {
			return true, true
		}
		for _, r := range a.Regions {
			for _, in := range w.writers[r] {
				written = true
				if w.cg.fnOf(in) != f || after[w.cg.blockOf(in)] {
					later = true
				}
			}
		}
	}
	for _, in := range w.cg.sites[f] {
		for _, g := range w.cg.callees[in] {
			if written && w.cg.reachable(g)[f] {
				later = true // another invocation may write it
			}
		}
	}
	return written, later || written && !w.runsOnce(f)
}

// initial returns the initial value of the integer cell c, nil where that is not plain.
func initial(c *cell, t ir.Int) *ir.Const {
	for _, i := range c.global.Init {
		if i.Offset < c.off+t.Size() && c.off < i.Offset+i.Type.Size() {
			k, ok := i.Value.(ir.Const)
			if !ok || i.Offset != c.off || !ir.Equal(i.Type, t) {
				return nil
			}
			return &k
		}
	}
	return &ir.Const{T: t, Val: new(big.Int)}
}
