package vm

import (
	"slices"

	"whoop/ir"
)

// lazyRegs finds registers that one Havoc alone sets and one assignment behind it alone
// reads, with nothing but assignments between the two: the value is asked for only where
// the assignment needs it.
func lazyRegs(f *ir.Func) []*ir.Reg {
	defs, reads := map[*ir.Reg]int{}, map[*ir.Reg]int{}
	count := func(e ir.Expr) {
		for _, r := range regsOf(e) {
			reads[r]++
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				defs[r]++
			}
			for _, e := range ir.Operands(in) {
				count(e)
			}
			if w, ok := in.(*ir.Await); ok {
				count(w.Cond)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			count(e)
		}
	}
	var out []*ir.Reg
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			h, ok := in.(*ir.Havoc)
			if ok && !ir.IsPtr(h.Dst.Type) && defs[h.Dst] == 1 && reads[h.Dst] == 1 && readBehind(b.Instrs[i+1:], h.Dst) {
				out = append(out, h.Dst)
			}
		}
	}
	return out
}

// readBehind reports whether an assignment reads a register, with nothing but assignments
// and Havocs before it.
func readBehind(ins []ir.Instr, r *ir.Reg) bool {
	for _, in := range ins {
		switch i := in.(type) {
		case *ir.Assign:
			if ir.UsesReg(i.X, r) {
				return true
			}
		case *ir.Havoc:
		default:
			return false
		}
	}
	return false
}

// regsOf lists the registers of an expression, each once.
func regsOf(e ir.Expr) []*ir.Reg {
	var out []*ir.Reg
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok && !slices.Contains(out, u.Reg) {
			out = append(out, u.Reg)
		}
		return true
	})
	return out
}
