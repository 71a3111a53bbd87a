package explore

import (
	"errors"
	"fmt"
	"slices"

	"whoop/ir/interp"
)

// Replay runs the schedule of a finding with its answers and checks that it shows just
// that: the same error, threads blocked at the same places, or the two accesses, and at
// the same cost. It uses the interpreter and what a macro step is, nothing of the search.
// An error says where the run differs.
func Replay(m *interp.Program, h interp.Harness, f *Finding) error {
	s := m.Start(h, interp.List(f.Inputs))
	last, cost := interp.ThreadID(-1), 0
	cycle := &loops{f: f}
	for i, t := range f.Schedule {
		if int(t) < 0 || int(t) >= s.NumThreads() || !s.CanStep(t) {
			return fmt.Errorf("macro step %d: thread %d cannot step (the execution is %s)", i, t, s.Status())
		}
		if t != last && last >= 0 && s.CanStep(last) {
			cost++
		}
		if f.Kind == KindLivelock {
			if err := cycle.see(i, s, t); err != nil {
				return err
			}
		}
		before := s.Snapshot()
		st := makeStep(s, t)
		if i+1 == len(f.Schedule) && f.Race != nil && f.Race.Section {
			if !makes(st.thread, st.section, &f.Race.First) {
				return errors.New("the last macro step does not make the first access of the race inside an atomic section")
			}
			if err := pending(before, &f.Race.Second); err != nil {
				return err
			}
		}
		last = t
	}
	if cost != f.Preemptions {
		return fmt.Errorf("the schedule has %d preemptions, not %d", cost, f.Preemptions)
	}
	if s.Inputs() != len(f.Inputs) {
		return fmt.Errorf("the schedule takes %d answers, not %d", s.Inputs(), len(f.Inputs))
	}
	if f.Kind == KindLivelock {
		return cycle.over(s)
	}
	return shows(s, f)
}

// shows checks that a state is what the finding says.
func shows(s *interp.State, f *Finding) error {
	switch {
	case f.Race != nil:
		r := f.Race
		if r.First.Thread == r.Second.Thread {
			return errors.New("the accesses of the race are of one thread")
		}
		if !r.First.Conflicts(r.Second.Access) {
			return errors.New("the accesses of the race do not conflict")
		}
		if r.Section && len(f.Schedule) > 0 {
			return nil // checked at the last macro step
		}
		return errors.Join(pending(s, &r.First), pending(s, &r.Second))
	case f.Err != nil:
		if e := s.Err(); e == nil || *e != *f.Err {
			return fmt.Errorf("the execution ends %s with error %v, not %v", s.Status(), e, f.Err)
		}
	default:
		if s.Status() != interp.Deadlock || !slices.Equal(BlockedIn(s), f.Blocked) {
			return fmt.Errorf("the execution is %s and not the deadlock", s.Status())
		}
	}
	return nil
}

// pending checks that in s a thread is about to make an access.
func pending(s *interp.State, a *RaceAccess) error {
	if int(a.Thread) >= s.NumThreads() || !s.CanStep(a.Thread) {
		return fmt.Errorf("thread %d, which takes part in the race, cannot step", a.Thread)
	}
	c := s.Snapshot()
	base := c.Inputs()
	c.SetInputs(interp.InputFunc(func(q *interp.Query) uint64 {
		if i := q.Index - base; i < len(a.Answers) {
			return a.Answers[i]
		}
		return 0
	}))
	if st := makeStep(c, a.Thread); st.npending != len(a.Answers) || !makes(st.thread, st.pending, a) {
		return fmt.Errorf("thread %d is not about to make its access of the race", a.Thread)
	}
	return nil
}

// makes reports whether an access is among those a thread makes.
func makes(t interp.ThreadID, made []access, a *RaceAccess) bool {
	return t == a.Thread && slices.Contains(made, access{a.Access, a.Instr})
}
