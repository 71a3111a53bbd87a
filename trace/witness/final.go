package witness

import (
	"fmt"
	"slices"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// final goes on behind the last waypoint but the targets.
func (r *search) final(w, before *walk, alts *[]alternative) (over bool, res *Result) {
	if slices.Contains(r.kinds, "race") {
		return r.race(w, before, alts)
	}
	for i := range r.ends {
		t := r.thread(w, &r.ends[i])
		if w.cur >= 0 && w.cur != t && r.leave(w, alts) {
			return false, nil
		}
		if slices.Contains(r.kinds, "deadlock") && !w.running(t) && i+1 < len(r.ends) {
			continue
		}
		if !w.running(t) {
			return !r.help(w, t, alts), nil
		}
		if w.settle(t) {
			r.others(w, t, alts)
			w.visible(t)
		}
		return false, nil
	}
	return true, nil
}

// failed judges an execution that has failed.
func (r *search) failed(w *walk) *Result {
	e := w.s.Err()
	kind := string(e.Kind)
	if e.Kind == interp.ErrAssert && (e.Tag == "overflow" || e.Tag == leaked) {
		kind = e.Tag
	}
	if e.Kind == interp.ErrAssert && (e.Tag == "reach_error" || slices.Contains(r.kinds, "reach_error")) {
		if kind = "reach_error"; e.Tag != "reach_error" {
			kind = "assert"
		}
	}
	if kind == "reach_error" && slices.Contains(r.kinds, "assert") {
		kind = "assert"
	}
	if !slices.Contains(r.kinds, kind) {
		r.miss(w, fmt.Sprintf("the execution ends with something else: %s", e))
		return nil
	}
	at := slices.ContainsFunc(r.ends, func(p Waypoint) bool { _, ok := r.here(p.At, e.Pos); return ok })
	if !at && !r.v.After {
		r.miss(w, fmt.Sprintf("the execution fails elsewhere: %s", e))
		return nil
	}
	res := r.judge(w, trace.Bug{Kind: kind, Message: e.Msg, Thread: e.Thread, At: trace.PlaceOf(e.Pos)})
	if res != nil && !at {
		res.Notes = append(res.Notes, fmt.Sprintf("the violation shows at %s, which is not the place of the witness's last step", e.Pos))
	}
	return res
}

// miss notes why an execution that came to its end does not count.
func (r *search) miss(w *walk, why string) {
	r.stop(w, why)
	if w.i == len(r.points) && r.last == "" {
		r.last = why
	}
}

// dead judges an execution in which no thread can go on.
func (r *search) dead(w *walk) *Result {
	if !slices.Contains(r.kinds, "deadlock") {
		r.miss(w, "the execution ends in a deadlock")
		return nil
	}
	for _, p := range r.ends {
		found := false
		for id := range interp.ThreadID(w.s.NumThreads()) {
			if !w.s.Ended(id) && r.names(&p, id) {
				if _, ok := r.here(p.At, w.s.Next(id).Pos); ok {
					found = true
				}
			}
		}
		if !found {
			r.miss(w, fmt.Sprintf("in the deadlock that was found, the thread does not wait there: %s", r.describe(&p)))
			return nil
		}
	}
	return r.judge(w, trace.Bug{Kind: "deadlock", Message: "no thread can go on"})
}

// race brings the threads of the targets before their accesses, the first one first.
func (r *search) race(w, before *walk, alts *[]alternative) (over bool, res *Result) {
	for w.reached < len(r.ends) {
		p := &r.ends[w.reached]
		t := r.thread(w, p)
		if w.cur >= 0 && w.cur != t && r.leave(w, alts) {
			return false, nil
		}
		if !w.running(t) {
			return !r.help(w, t, alts), nil
		}
		if !w.settle(t) {
			return false, nil
		}
		if pl := w.of(t); r.before(w, p, t) && !(pl.seen != nil && pl.steps == 0 && pl.at == r.src.statement(w.s.Next(t).Pos)) {
			r.branch(before, alts, func(w *walk) { w.step(t) })
			w.reached++
			continue
		}
		r.others(w, t, alts)
		w.visible(t)
		return false, nil
	}
	if len(r.ends) == 1 {
		return true, r.opponent(w)
	}
	return true, r.pair(w, r.thread(w, &r.ends[0]), r.thread(w, &r.ends[1]))
}

// before reports whether a thread is about to make an access at a target, perhaps inside
// an atomic section.
func (r *search) before(w *walk, p *Waypoint, id interp.ThreadID) bool {
	for _, at := range r.section(w, id) {
		if _, ok := r.here(p.At, at); ok {
			return true
		}
	}
	return false
}

// section is where the steps are that a thread takes next at once: one, or those of an
// atomic section.
func (r *search) section(w *walk, id interp.ThreadID) []ir.Pos {
	at := w.s.Next(id)
	out := []ir.Pos{at.Pos}
	if !section(at) {
		return out
	}
	s := w.s.Snapshot()
	s.SetInputs(interp.Zero{})
	Macro(s, id, func(id interp.ThreadID) *interp.Event {
		r.steps++
		ev := s.Step(id)
		if p := ev.Pos(); len(ev.Accesses) > 0 && !slices.Contains(out, p) {
			out = append(out, p)
		}
		return ev
	})
	return out
}

// pair judges the race of two threads that are before their accesses.
func (r *search) pair(w *walk, t, u interp.ThreadID) *Result {
	if t == u {
		r.miss(w, "the two accesses of the race are of one thread")
		return nil
	}
	for _, x := range r.section(w, t) {
		for _, y := range r.section(w, u) {
			if !r.target(x, 0) || !r.target(y, len(r.ends)-1) && len(r.ends) > 1 {
				continue
			}
			b := trace.Bug{Kind: "race", Thread: t, Other: u, At: trace.PlaceOf(x), AtToo: trace.PlaceOf(y)}
			if res := r.judge(w, b); res != nil {
				return res
			}
		}
	}
	return nil
}

func (r *search) target(at ir.Pos, i int) bool {
	_, ok := r.here(r.ends[i].At, at)
	return ok
}

// opponent looks for a thread that races with the one that is before the only target.
func (r *search) opponent(w *walk) *Result {
	t := r.thread(w, &r.ends[0])
	for u := range interp.ThreadID(w.s.NumThreads()) {
		if u == t {
			continue
		}
		c := w.clone()
		for range maxAhead {
			if r.exhausted() || !c.running(u) || !c.settle(u) || !c.running(t) {
				break
			}
			if interp.Conflict(peek(c.s, t), peek(c.s, u)) {
				if res := r.pair(c, t, u); res != nil {
					return res
				}
			}
			c.visible(u)
		}
	}
	r.miss(w, "no other thread makes a conflicting access at that time")
	return nil
}

func peek(s *interp.State, id interp.ThreadID) []interp.Access {
	c := s.Snapshot()
	c.SetInputs(interp.Zero{})
	return append([]interp.Access(nil), c.Peek(id).Accesses...)
}

// maxFinish bounds the steps that lead into a deadlock.
const maxFinish = 10_000

// judge makes a trace of a walk and replays it: only what this confirms is confirmed.
func (r *search) judge(w *walk, b trace.Bug) *Result {
	t := &trace.Trace{Schema: trace.Schema, Tool: "whoop", Input: r.m.IR.Name, Options: []string{}, Program: trace.Hash(r.m.IR), Main: true,
		Init: []string{}, Roots: []string{r.h.Roots[0].Name}, Bug: b}
	used := map[interp.ThreadID]int{}
	s := r.m.Start(r.h, interp.InputFunc(func(q *interp.Query) uint64 {
		var v uint64
		if as, k := w.answers[q.Thread], used[q.Thread]; k < len(as) {
			v = as[k]
		}
		used[q.Thread]++
		t.Inputs = append(t.Inputs, v)
		return v
	}))
	if id, ok := r.again(s, t, w.sched); !ok {
		r.miss(w, fmt.Sprintf("internal error: the execution cannot be run again: thread %d cannot step", id))
		return nil
	}
	if b.Kind == "race" { // what the threads are told before their accesses
		for _, id := range []interp.ThreadID{b.Thread, b.Other} {
			ahead(s, id)
		}
	}
	x, err := trace.Replay(r.m, r.h, t)
	if err != nil {
		r.miss(w, err.Error())
		return nil
	}
	res := &Result{Confirmed: true, Execution: x, Trace: t}
	if w.over > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%d of %d waypoints were not reached and passed over", w.over, len(r.points)))
	}
	return res
}

// again runs macro steps from the start and notes them as the schedule; into a deadlock
// the threads go by themselves.
func (r *search) again(s *interp.State, t *trace.Trace, sched []interp.ThreadID) (interp.ThreadID, bool) {
	step := func(id interp.ThreadID) bool {
		if int(id) >= s.NumThreads() || !s.CanStep(id) || s.Status() != interp.Running {
			return false
		}
		r.steps++
		Macro(s, id, s.Step)
		t.Schedule.Add(id, 1)
		return true
	}
	for _, id := range sched {
		if !step(id) {
			return id, false
		}
	}
	if t.Bug.Kind == "deadlock" {
		for id := range interp.ThreadID(s.NumThreads()) {
			for n := 0; n < maxFinish && step(id); n++ {
			}
		}
	}
	return 0, true
}
