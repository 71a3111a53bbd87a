package irutil

import "whoop/ir"

// WeakAtomic is the first place in the text where a program asks for an atomic access
// that is weaker than sequentially consistent; false where it does nowhere. Engines run
// sequentially consistent executions, and with such accesses a machine has others.
//
// Without them, it has no others as long as no sequentially consistent execution has a
// data race, and engines find those (C11 5.1.2.4, note 22: DRF-SC). Where pointers are
// typed, as in Go, the language has no weaker accesses; those that are weak are a front
// end's own.
func WeakAtomic(p *ir.Program) (ir.Pos, bool) {
	var first ir.Pos
	found := false
	if p.TypeSafe {
		return first, false
	}
	for _, in := range p.Instrs() {
		if weak(in) && (!found || in.At().Less(first)) {
			first, found = in.At(), true
		}
	}
	return first, found
}

func weak(in ir.Instr) bool {
	var o ir.Order
	switch in := in.(type) {
	case *ir.Load:
		o = in.Order
	case *ir.Store:
		o = in.Order
	case *ir.RMW:
		o = in.Order
	case *ir.CmpXchg:
		o = in.Order
	}
	return o.Atomic() && o != ir.SeqCst
}
