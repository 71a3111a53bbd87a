package explore

import (
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
)

// A harness with Registrations is a driver's: other entry points than its roots may run.

// notSetUp reports whether a driver's roots were not made, since an entry before them has
// failed or waits for something: none of its executions begins there.
func notSetUp(h *interp.Harness, s *interp.State) bool {
	return h.Registrations && s.Status() == interp.Deadlock &&
		s.NumThreads() < len(h.Init)+len(h.Roots)
}

// Deadlocked says of a state in which no thread can go on whether none ever will. In a
// driver, another entry point may
// signal what a thread waits for: these waits are told. Nobody but its holder releases a
// lock. Where the roots were not made, that is none.
func Deadlocked(h *interp.Harness, s *interp.State) (dead bool, waits []ir.Instr) {
	if !h.Registrations || notSetUp(h, s) {
		return !h.Registrations, nil
	}
	for t := range interp.ThreadID(s.NumThreads()) {
		at := s.Next(t)
		if s.Ended(t) || at.Instr == nil && at.Term == nil {
			continue // it is not registered, or its turn has not come
		}
		switch at.Instr.(type) {
		case *ir.SemWait, *ir.CondWait, *ir.BarrierWait, *ir.Await:
			waits = append(waits, at.Instr)
		case *ir.Unregister: // for a handler, which is what blocks then
		default:
			dead = true
		}
	}
	return dead && len(waits) == 0, waits
}

// deadlock is the end of an execution in which no thread can go on.
func (x *search) deadlock(s *interp.State, cost int) {
	dead, waits := Deadlocked(x.harness, s)
	if dead {
		x.report(&Finding{Kind: KindDeadlock, Preemptions: cost, Blocked: BlockedIn(s)})
	}
	for _, w := range waits {
		if !slices.Contains(x.res.Waits, w) {
			x.res.Waits = append(x.res.Waits, w)
		}
	}
}
