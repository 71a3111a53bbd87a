package strategy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whoop/explore"
	"whoop/ir/interp"
	"whoop/trace"
)

// traceOf makes a trace of a finding, and runs it. The steps of a trace are macro steps,
// but that a thread's start is none: it comes with what the thread does first.
func traceOf(m *interp.Program, h interp.Harness, f *explore.Finding) (*trace.Trace, error) {
	t := &trace.Trace{Schema: trace.Schema, Tool: "whoop", Main: h.Main, Stays: h.Stays, Init: []string{},
		Options: []string{}, Bug: bugOf(f)}
	if h.Stays {
		t.Bug.Kind = Leak
	}
	c := &converter{finding: f, pending: map[interp.ThreadID][]uint64{}}
	units := c.units(m, h)
	s := m.Start(h, interp.InputFunc(c.again))
	for i, id := range units {
		if i == c.loop && f.Kind == explore.KindLivelock {
			t.Bug.Loop = i
		}
		if s.Status() != interp.Running || int(id) >= s.NumThreads() || !s.CanStep(id) {
			return nil, errors.New("its schedule cannot be made")
		}
		trace.Unit(s, id)
		t.Schedule.Add(id, 1)
	}
	if f.Race == nil {
		t.Inputs = append([]uint64{}, c.inputs...)
		_, err := trace.Replay(m, h, t)
		return t, err
	}
	return t, c.race(m, h, s, t)
}

// converter makes the trace of a finding.
type converter struct {
	finding *explore.Finding
	answers []given                      // to the queries of its schedule that were not asked again
	pending map[interp.ThreadID][]uint64 // to those of the accesses of a race
	inputs  []uint64                     // of the trace
	// how many of its steps come before the cycle of a livelock
	loop int
}

// given is the answer to a query, and who asked it where.
type given struct {
	thread      interp.ThreadID
	instr, term any
	value       uint64
}

// units runs the finding, and tells the threads of the steps of its trace; c.answers are
// those it takes.
func (c *converter) units(m *interp.Program, h interp.Harness) (units []interp.ThreadID) {
	f := c.finding
	s := m.Start(h, interp.InputFunc(func(q *interp.Query) uint64 {
		v := uint64(0)
		if q.Index < len(f.Inputs) {
			v = f.Inputs[q.Index]
		}
		if q.Index >= len(c.answers) {
			c.answers = append(c.answers, given{q.Thread, q.Instr, q.Term, v})
		}
		return v
	}))
	n := len(f.Schedule)
	if f.Race != nil && f.Race.Section {
		n-- // both accesses are still to be made
	}
	var begun []interp.ThreadID // that have done no more so far
	for i, id := range f.Schedule[:n] {
		if i == f.Loop {
			c.loop = len(units)
		}
		if !explore.Macro(s, id) && (i+1 < n || f.Err == nil) {
			begun = append(begun, id)
			continue
		}
		begun = slices.DeleteFunc(begun, func(t interp.ThreadID) bool { return t == id })
		units = append(units, id)
	}
	if f.Kind == explore.KindDeadlock { // they block at once
		units = append(units, begun...)
	}
	if r := f.Race; r != nil {
		c.pending[r.First.Thread], c.pending[r.Second.Thread] = r.First.Answers, r.Second.Answers
		if r.Section {
			c.pending[r.First.Thread] = f.Inputs[min(len(c.answers), len(f.Inputs)):]
		}
	}
	return units
}

// again answers a query as it was answered in the finding, and notes the answer for the
// trace.
func (c *converter) again(q *interp.Query) uint64 {
	v, known := uint64(0), false
	for i, a := range c.answers {
		if a.thread == q.Thread && a.instr == any(q.Instr) && a.term == any(q.Term) {
			v, known, c.answers = a.value, true, slices.Delete(c.answers, i, i+1)
			break
		}
	}
	if p := c.pending[q.Thread]; !known && len(p) > 0 {
		v, c.pending[q.Thread] = p[0], p[1:]
	}
	c.inputs = append(c.inputs[:min(q.Index, len(c.inputs))], v)
	return v
}

// race takes the answers of the accesses of a race, which may be asked for in either
// order, and replays its trace.
func (c *converter) race(m *interp.Program, h interp.Harness, s *interp.State, t *trace.Trace) error {
	r := c.finding.Race
	for _, id := range []interp.ThreadID{r.First.Thread, r.Second.Thread} {
		if s.CanStep(id) && !s.Visible(id) {
			s.Settle(id)
		}
	}
	first, second := c.pending[r.First.Thread], c.pending[r.Second.Thread]
	var err error
	for _, rest := range [][]uint64{slices.Concat(second, first), slices.Concat(first, second)} {
		t.Inputs = append(append([]uint64{}, c.inputs...), rest...)
		if _, err = trace.Replay(m, h, t); err == nil {
			return nil
		}
	}
	return err
}

// bugOf is what a finding's trace shows.
func bugOf(f *explore.Finding) trace.Bug {
	b := trace.Bug{Kind: f.Kind, Other: -1, Thread: -1}
	switch {
	case f.Race != nil:
		b.Message, b.Thread, b.Other = "data race", f.Race.First.Thread, f.Race.Second.Thread
		b.At, b.AtToo = trace.PlaceOf(f.Race.First.Instr.At()), trace.PlaceOf(f.Race.Second.Instr.At())
	case f.Err != nil:
		b.Message, b.Thread, b.At = f.Err.Msg, f.Err.Thread, trace.PlaceOf(f.Err.Pos)
		if slices.Contains(tags, f.Err.Tag) {
			b.Kind = f.Err.Tag
		}
	case f.Kind == explore.KindLivelock:
		b.Message, b.Thread = endless(f), f.Schedule[f.Loop]
		for _, w := range f.Blocked {
			if w.Thread == b.Thread {
				b.At = trace.PlaceOf(w.Place.Pos)
			}
		}
	default:
		b.Message, b.Thread, b.At = fmt.Sprintf("%d threads wait", len(f.Blocked)), f.Blocked[0].Thread, trace.PlaceOf(f.Blocked[0].Place.Pos)
	}
	return b
}

// Leak is the kind of a bug that a thread blocks for good when main has returned.
const Leak = "goroutine-leak"

// leaks reports whether a finding is such a bug: main, the first thread, waits for nothing.
func leaks(f *explore.Finding) bool {
	return f.Kind == explore.KindDeadlock && !slices.ContainsFunc(f.Blocked, func(w explore.Blocked) bool { return w.Thread == 0 })
}

// FindsLeaks reports whether a strategy can look for threads that block for good when main
// has returned.
func FindsLeaks(strategy string) bool {
	return strategy != "liveness" && strategy != Portfolio && strategy != Iterated && !strings.HasPrefix(strategy, "delay:")
}

// endless says what goes on for ever.
func endless(f *explore.Finding) string {
	what := "no thread is left out that can go on again and again"
	if f.Fairness == explore.Weak {
		what = "no thread is left out that can always go on"
	}
	if f.Hot != nil {
		return fmt.Sprintf("%s may stay other than zero for ever, though %s", f.Hot.Name, what)
	}
	return "the execution may go on for ever, though " + what
}

// tags are the properties of assertions that traces know as kinds of their own.
var tags = []string{"reach_error", "panic", "overflow", "overflow-unclear", "memcleanup", "memcleanup-unclear"}
