package absint

import "whoop/ir"

// renew finds the variables in loops of which there is one at a time: nothing leads to
// the last one when a new one is made, since addresses are in registers alone, and none
// of these is read before it is written again.
func (fl *flat) renew(f *ir.Func) {
	var live map[*ir.Block]map[*ir.Reg]bool
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			a, ok := in.(*ir.Alloc)
			if !ok || a.Kind != "stack" || fl.once[a] {
				continue
			}
			if live == nil {
				live = ir.Liveness(f)
			}
			if addresses, ok := addressesOf(f, a); ok && !anyLive(live, b, i, addresses) {
				fl.once[a] = true
			}
		}
	}
}

// addressesOf are the registers that may hold what is computed from an object's address;
// ok is false where something else may.
func addressesOf(f *ir.Func, a *ir.Alloc) (regs map[*ir.Reg]bool, ok bool) {
	regs = map[*ir.Reg]bool{a.Dst: true}
	reads := func(es ...ir.Expr) bool {
		now := map[*ir.Reg]bool{}
		ir.Reads(now, es)
		for r := range now {
			if regs[r] {
				return true
			}
		}
		return false
	}
	for more := true; more; {
		more = false
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Assign:
					if !regs[in.Dst] && reads(in.X) {
						regs[in.Dst], more = true, true
					}
				case *ir.Load, *ir.Free: // what is read of a variable whose address is in no memory is no address of it
				case *ir.Store:
					if reads(in.Val) {
						return nil, false
					}
				case *ir.RMW:
					if reads(in.Val) {
						return nil, false
					}
				case *ir.CmpXchg:
					if reads(in.New, in.Expected) {
						return nil, false
					}
				default:
					if reads(ir.Operands(in)...) {
						return nil, false
					}
				}
			}
			if t, ok := b.Term.(*ir.Branch); !ok && reads(ir.TermOperands(b.Term)...) || ok && t.Cond != nil && reads(t.Cond) {
				return nil, false
			}
		}
	}
	return regs, true
}

// anyLive reports whether one of the registers may be read after an instruction without
// being written first; the instruction writes what it makes.
func anyLive(live map[*ir.Block]map[*ir.Reg]bool, b *ir.Block, index int, regs map[*ir.Reg]bool) bool {
	now := ir.LiveAt(live, b, index)
	for r := range regs {
		if now[r] {
			return true
		}
	}
	return false
}
