package strategy

import (
	"context"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// maxSideBySide is how often the races of two instructions are looked at: what is not
// found side by side then is left alone.
const maxSideBySide = 20

// maxClocks bounds the threads of a run in which races are looked for: each has a clock
// with a number for each of them.
const maxClocks = 1000

// observe ends the run at the first race that is worth a look.
func (r *walkRun) observe(ev *interp.Event) {
	for _, race := range r.races.Observe(ev) {
		if r.raced != nil || unsure(race.First.Instr) || unsure(race.Second.Instr) || r.tried[[2]ir.Instr{race.First.Instr, race.Second.Instr}] >= maxSideBySide {
			continue
		}
		r.raced = &race
	}
}

// unsure reports whether an instruction may not make its accesses, or is the end of a
// variable's block, which is none: a use that is not ordered before it is undefined, and
// no race for that.
func unsure(in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Touch:
		return in.Perhaps
	case *ir.Free:
		return in.Scope
	}
	return in == nil
}

// unit is a step of a run that is made again.
type unit struct {
	thread interp.ThreadID
	inputs []uint64
	made   []interp.ThreadID // the threads that it started
}

// sideBySide is the run without what one thread of the race does from its access on, and
// without what must wait for that: in the end both threads are about to make their
// accesses. It is nil where the other one does not get there. What others read of what is
// left out may lead elsewhere, so the trace has to be replayed.
func (w *walks) sideBySide(ctx context.Context, r *walkRun) *trace.Trace {
	race := r.raced
	w.tried[[2]ir.Instr{race.First.Instr, race.Second.Instr}]++
	units, at, begun := w.again(ctx, r)
	if at < 0 {
		return nil
	}
	left := begun // the inputs of the step at hand
	t := &trace.Trace{}
	s := w.m.Start(w.h, interp.InputFunc(func(q *interp.Query) uint64 {
		v := uint64(0)
		if len(left) > 0 {
			v, left = left[0], left[1:]
		}
		t.Inputs = append(t.Inputs, v)
		return v
	}))
	// the threads of the run, as they are numbered here
	now := map[interp.ThreadID]interp.ThreadID{}
	for id := range interp.ThreadID(s.NumThreads()) {
		now[id] = id
	}
	waits := map[interp.ThreadID]bool{}
	for i, u := range units[:len(units)-1] {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		id, ok := now[u.thread]
		if !ok || waits[u.thread] || u.thread == race.First.Thread && i >= at {
			continue
		}
		if s.Status() != interp.Running {
			return nil
		}
		if !s.CanStep(id) {
			waits[u.thread] = true
			continue
		}
		left = u.inputs
		made := u.made
		trace.Observed(s, id, func(ev *interp.Event) {
			for _, o := range ev.Sync {
				if o.Kind == interp.SyncSpawn && len(made) > 0 {
					now[made[0]], made = o.Other, made[1:]
				}
			}
		})
		t.Schedule.Add(id, 1)
	}
	first, ok := now[race.First.Thread]
	second, too := now[race.Second.Thread]
	if !ok || !too {
		return nil
	}
	t.Inputs = append(t.Inputs, slices.Concat(units[at].inputs, units[len(units)-1].inputs)...)
	t.Bug = trace.Bug{Kind: "race", Message: "data race", Thread: first, Other: second, At: trace.PlaceOf(race.First.Instr.At()), AtToo: trace.PlaceOf(race.Second.Instr.At())}
	return t
}

// again makes a run once more; it returns its steps, which is that of the first access of
// its race, or -1, and the inputs before the first step.
func (w *walks) again(ctx context.Context, r *walkRun) (units []unit, at int, begun []uint64) {
	at = -1
	race := r.raced
	s := w.m.Start(w.h, interp.InputFunc(func(q *interp.Query) uint64 {
		if q.Index < len(r.t.Inputs) {
			return r.t.Inputs[q.Index]
		}
		return 0
	}))
	begun = r.t.Inputs[:min(s.Inputs(), len(r.t.Inputs))]
	for _, turn := range r.t.Schedule {
		for range turn.Steps {
			if len(units)%1024 == 0 && ctx.Err() != nil {
				return nil, -1, nil
			}
			u := unit{thread: turn.Thread}
			trace.Observed(s, turn.Thread, func(ev *interp.Event) {
				u.inputs = append(u.inputs, ev.Inputs...)
				for _, o := range ev.Sync {
					if o.Kind == interp.SyncSpawn {
						u.made = append(u.made, o.Other)
					}
				}
				if ev.Instr == race.First.Instr && turn.Thread == race.First.Thread && slices.ContainsFunc(ev.Accesses, func(a interp.Access) bool { return a.Addr == race.First.Addr }) {
					at = len(units)
				}
			})
			units = append(units, u)
		}
	}
	return units, at, begun
}
