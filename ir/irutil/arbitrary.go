package irutil

import "whoop/ir"

// Unread finds a register of an expression that takes says yes to, that the instructions before in its block have made
// arbitrary, and that none of them has read since. values are numbers worth a try: 0, the expression's constants and
// their neighbours.
func Unread(prior []ir.Instr, e ir.Expr, takes func(*ir.Reg) bool) (r *ir.Reg, values []uint64) {
	consts := []uint64{0}
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.Const:
			if e.Val.IsInt64() {
				consts = append(consts, uint64(e.Val.Int64()))
			}
		case ir.Use:
			if r == nil && !ir.IsPtr(e.Reg.Type) && takes(e.Reg) && MadeArbitrary(prior, e.Reg) {
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

// MadeArbitrary reports whether the instructions before in a block have made a register arbitrary, and none has read or
// set it since.
func MadeArbitrary(prior []ir.Instr, r *ir.Reg) bool {
	for k := len(prior) - 1; k >= 0; k-- {
		in := prior[k]
		if h, ok := in.(*ir.Havoc); ok && h.Dst == r {
			return true
		}
		for _, d := range ir.Defs(in) {
			if d == r {
				return false
			}
		}
		for _, e := range ir.Operands(in) {
			if ir.UsesReg(e, r) {
				return false
			}
		}
	}
	return false
}
