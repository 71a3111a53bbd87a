package alias

import "whoop/ir"

// wasPointer reports whether an integer is surely computed from an address in the same
// function: by adding what is no address, from registers that hold nothing else. Made an
// address again it leads to where that address led, and nowhere where that did: in a copy
// of a function that is never called with more than null, say.
func wasPointer(e ir.Expr, regs map[*ir.Reg]bool) bool {
	switch e := e.(type) {
	case ir.Cast:
		return ir.IsPtr(e.X.Type()) || ir.IsInt(e.X.Type()) && e.T.Size() == e.X.Type().Size() && wasPointer(e.X, regs)
	case ir.Binary:
		return (e.Op == "add" || e.Op == "sub") && isDistance(e.Y) && wasPointer(e.X, regs) || e.Op == "add" && isDistance(e.X) && wasPointer(e.Y, regs)
	case ir.Use:
		return regs[e.Reg]
	}
	return false
}

// isDistance reports whether an integer is no address: a constant, or what was signed
// before.
func isDistance(e ir.Expr) bool {
	switch e := e.(type) {
	case ir.Const:
		return true
	case ir.Cast:
		t, ok := e.X.Type().(ir.Int)
		return ok && t.Signed
	}
	return false
}

// addressRegs are the integer registers in which functions put nothing but what they
// compute from addresses.
func addressRegs(fs []*ir.Func) map[*ir.Reg]bool {
	out := map[*ir.Reg]bool{}
	for _, f := range fs {
		values, other := map[*ir.Reg][]ir.Expr{}, map[*ir.Reg]bool{}
		for _, p := range f.Params {
			other[p] = true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assign); ok && ir.IsInt(a.Dst.Type) {
					values[a.Dst] = append(values[a.Dst], a.X)
					continue
				}
				for _, r := range ir.Defs(in) {
					other[r] = true
				}
			}
		}
		for changed := true; changed; {
			changed = false
			for r, es := range values {
				all := !out[r] && !other[r]
				for _, e := range es {
					all = all && wasPointer(e, out)
				}
				if all {
					out[r], changed = true, true
				}
			}
		}
	}
	return out
}
