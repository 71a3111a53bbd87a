package c

import "whoop/ir"

// signalFlags makes accesses of volatile variables indivisible in programs of one thread
// with signal handlers: there they are what volatile sig_atomic_t is for, and no data
// race, which is between threads. Plain variables stay what they are.
func (pr *program) signalFlags() {
	if !pr.hasMain() {
		return
	}
	handlers := false
	var volatile []*ir.Order
	for _, in := range pr.p.Instrs() {
		switch in := in.(type) {
		case *ir.Spawn:
			return
		case *ir.Register:
			if len(in.Kinds) != 1 || in.Kinds[0] != "signal" {
				return
			}
			handlers = true
		case *ir.Load:
			volatile = append(volatile, &in.Order)
		case *ir.Store:
			volatile = append(volatile, &in.Order)
		}
	}
	for _, o := range volatile {
		if handlers && *o == ir.Volatile {
			*o = ir.SeqCst
		}
	}
}
