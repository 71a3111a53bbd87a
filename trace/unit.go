package trace

import "whoop/ir/interp"

// Unit takes a step of a schedule, see Trace: what a thread does up to behind what others may notice, or a whole atomic section. It returns the number of instructions that were executed.
func Unit(s *interp.State, id interp.ThreadID) (count int) {
	depth := 0
	for {
		for n := 0; ; n++ {
			vis := s.Visible(id)
			if n > 0 && vis && !s.CanStep(id) {
				return count
			}
			ev := s.Step(id)
			if ev.Kind != interp.Start {
				count++
			}
			for _, op := range ev.Sync {
				switch op.Kind {
				case interp.SyncAtomicBegin:
					depth++
				case interp.SyncAtomicEnd:
					depth--
				}
			}
			if vis || s.Status() != interp.Running || s.Ended(id) || n > interp.MaxInvisible {
				break
			}
		}
		if depth <= 0 || s.Status() != interp.Running || s.Ended(id) || !s.CanStep(id) {
			return count
		}
	}
}
