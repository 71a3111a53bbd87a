package lockset

import (
	"slices"

	"whoop/internal/graph"
	"whoop/ir"
)

// Registers that are copies of others, so that a token is followed by its first name.

// copied is a copy of a register, off bytes on.
type copied struct {
	reg *ir.Reg
	off int64
}

// findCopies finds the registers with one definition that is a copy: of a register that
// never changes, or of one that does not change while the copy is used, in one block.
func (w *placing) findCopies() {
	defs, inCycle := map[*ir.Reg][]ir.Instr{}, map[ir.Instr]bool{}
	for _, c := range graph.Components(w.blocks[:min(1, len(w.blocks))], func(b *ir.Block) []*ir.Block { return b.Succs() }) {
		cycle := len(c) > 1 || slices.Contains(c[0].Succs(), c[0])
		for _, b := range c {
			for _, in := range b.Instrs {
				inCycle[in] = cycle
				for _, d := range ir.Defs(in) {
					defs[d] = append(defs[d], in)
				}
			}
		}
	}
	fixed := func(r *ir.Reg) bool {
		_, param := w.constant[r]
		return param || len(defs[r]) == 1 && !inCycle[defs[r][0]]
	}
	for _, b := range w.order {
		for i, in := range b.Instrs {
			as, ok := in.(*ir.Assign)
			if ok && len(defs[as.Dst]) == 1 && ir.IsPtr(as.Dst.Type) {
				root, off := splitAddr(as.X)
				if u, isReg := root.(ir.Use); isReg && u.Reg != as.Dst && (fixed(u.Reg) || off == 0 && !w.across[as.Dst] && unchanged(b, i, u.Reg, as.Dst)) {
					w.same[as.Dst] = copied{u.Reg, off}
				}
			}
		}
	}
}

// unchanged reports whether dst is only used after instruction i of a block, and r is not
// set between that and the last use.
func unchanged(b *ir.Block, i int, r, dst *ir.Reg) bool {
	set := false
	uses := func(es []ir.Expr) bool {
		return slices.ContainsFunc(es, func(e ir.Expr) bool { return slices.Contains(ir.RegsOf(e), dst) })
	}
	for _, in := range b.Instrs[:i+1] {
		if uses(ir.Operands(in)) {
			return false
		}
	}
	for _, in := range b.Instrs[i+1:] {
		if set && uses(ir.Operands(in)) {
			return false
		}
		set = set || slices.Contains(ir.Defs(in), r)
	}
	return !set || !uses(ir.TermOperands(b.Term))
}

// original is the register that another is a copy of, or itself, and how far the copy is
// from it.
func (w *placing) original(r *ir.Reg) (*ir.Reg, int64) {
	off := int64(0)
	for n := 0; n < 32; n++ {
		c, ok := w.same[r]
		if !ok {
			break
		}
		r, off = c.reg, off+c.off
	}
	return r, off
}

// regs are the registers of an expression, copies as what they are
// copies of.
func (w *placing) regs(e ir.Expr) []*ir.Reg {
	out := ir.RegsOf(e)
	for i, r := range out {
		out[i], _ = w.original(r)
	}
	return out
}
