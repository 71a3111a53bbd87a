package irutil

import (
	"slices"

	"whoop/ir"
)

// Unread finds a register of an expression that takes says yes to, that the instructions
// before in its block have made arbitrary, and that none of them has read since. values
// are numbers worth a try: 0, the expression's constants and their neighbours.
func Unread(prior []ir.Instr, e ir.Expr, takes func(*ir.Reg) bool) (r *ir.Reg, values []uint64) {
	consts := []uint64{0}
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.Const:
			if e.Val.IsInt64() {
				consts = append(consts, uint64(e.Val.Int64()))
			}
		case ir.Use:
			if r == nil && !ir.IsPtr(e.Reg.Type) && takes(e.Reg) && MadeArbitrary(prior, e.Reg) != nil {
				r = e.Reg
			}
		}
		return true
	})
	if r == nil {
		return nil, nil
	}
	for _, k := range consts {
		values = append(values, k, k+1, k-1)
	}
	return r, values
}

// MadeArbitrary is the instruction among those before in a block that has made a register
// arbitrary, if none has read or set it since; else nil.
func MadeArbitrary(prior []ir.Instr, r *ir.Reg) *ir.Havoc {
	for _, in := range slices.Backward(prior) {
		if h, ok := in.(*ir.Havoc); ok && h.Dst == r {
			return h
		}
		if slices.Contains(ir.Defs(in), r) || slices.ContainsFunc(ir.Operands(in), func(e ir.Expr) bool { return ir.UsesReg(e, r) }) {
			return nil
		}
	}
	return nil
}

// Unsized reports whether an allocation is of memory of which nobody knows the size: the
// amount is an arbitrary number that code not seen yields, right before. prior are the
// instructions before in its block.
func Unsized(prior []ir.Instr, i *ir.Alloc) bool {
	n, _ := i.Amount()
	unknown := false
	ir.WalkExpr(n, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok {
			h := MadeArbitrary(prior, u.Reg)
			unknown = unknown || h != nil && !h.Input
		}
		return true
	})
	return unknown
}
