package boogie

import "whoop/ir"

// blocks reports whether an instruction may wait for another thread.
func blocks(in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Lock:
		return !in.Try
	case *ir.SemWait:
		return !in.Try
	case *ir.CondWait, *ir.BarrierWait, *ir.Once, *ir.Join:
		return true
	}
	return false
}

// synchronises reports whether other threads may notice an instruction that is no access.
func synchronises(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Lock, *ir.Unlock, *ir.LockInit, *ir.CondSignal, *ir.SemInit, *ir.SemWait, *ir.SemPost, *ir.BarrierInit,
		*ir.Spawn, *ir.AtomicBegin, *ir.Register, *ir.Unregister:
		return true
	}
	return blocks(in)
}

// yieldAll is the default of Options.Yield: synchronisation, and accesses to memory that
// two threads may reach.
func (t *program) yieldAll(in ir.Instr) bool {
	return synchronises(in) || t.sharedAccess(in)
}

func (p *proc) yieldBefore(in ir.Instr) {
	if blocks(in) || p.yield(in) {
		p.line("yield;")
	}
}
