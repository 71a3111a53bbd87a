package trace

import "whoop/ir/interp"

// Unit takes a step of a schedule, see Trace. It returns the number of instructions that
// were executed.
func Unit(s *interp.State, id interp.ThreadID) (count int) {
	return Observed(s, id, func(*interp.Event) {})
}

// Observed is Unit, and shows each event to observe.
func Observed(s *interp.State, id interp.ThreadID, observe func(*interp.Event)) (count int) {
	macro(s, id, func() (depth int) {
		ev := s.Step(id)
		observe(ev)
		if ev.Kind != interp.Start {
			count++
		}
		return nesting(ev)
	})
	return count
}

// macro takes a step of a schedule: instructions of a thread up to behind the next one
// that others may notice, or a whole atomic section. step executes one, and returns by
// how much the nesting of atomic sections changes. A section that goes on for more than
// interp.MaxInvisible instructions, which may be one without end, is taken in several
// steps.
func macro(s *interp.State, id interp.ThreadID, step func() int) {
	depth, done := 0, 0
	for {
		for n := 0; ; n++ {
			vis := s.Visible(id)
			if n > 0 && vis && !s.CanStep(id) {
				return
			}
			depth += step()
			done++
			if vis || s.Status() != interp.Running || s.Ended(id) || n > interp.MaxInvisible {
				break
			}
		}
		if depth <= 0 || done > interp.MaxInvisible || s.Status() != interp.Running || s.Ended(id) || !s.CanStep(id) {
			return
		}
	}
}

// nesting is by how much an event changes the nesting of atomic sections.
func nesting(ev *interp.Event) (depth int) {
	for _, op := range ev.Sync {
		switch op.Kind {
		case interp.SyncAtomicBegin:
			depth++
		case interp.SyncAtomicEnd:
			depth--
		}
	}
	return depth
}
