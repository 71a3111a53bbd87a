package witness

import (
	"maps"

	"whoop/ir"
	"whoop/ir/interp"
)

// walk is an execution on its way along the waypoints.
type walk struct {
	r *search
	s *interp.State
	i int // the waypoint that is next
	// cur is the thread that passed the last waypoint; -1 at first. stopped: it is left.
	cur     interp.ThreadID
	stopped bool
	threads []place
	// sched are the macro steps so far, answers what each thread was told, in its order.
	sched   []interp.ThreadID
	answers map[interp.ThreadID][]uint64
	// force are answers to take instead, by thread and number.
	force map[query]uint64
	left  int         // deviations that may still be made
	skips map[int]int // of waypoints: how many matches to pass over
	// pick is the thread that was chosen for waypoint pickFor-1, which names none.
	pick    interp.ThreadID
	pickFor int
	// tried-1 is the waypoint that the thread is known to reach, over how many were
	// passed over.
	tried, over int
	// reached is how many targets' threads are before their accesses.
	reached int
	// open are the queries of the last step that had other answers.
	open []choice
}

// place is where a thread is in a statement.
type place struct {
	at   ir.Pos // the statement whose waypoint it passed last
	seen map[any]bool
	// steps are those since then that others may notice.
	steps int
}

type query struct {
	thread interp.ThreadID
	n      int
}

// choice is a query with answers that were not taken.
type choice struct {
	q      query
	others []uint64
}

// clone copies a walk.
func (w *walk) clone() *walk {
	c := *w
	c.threads = append([]place(nil), w.threads...)
	for i := range c.threads {
		c.threads[i].seen = maps.Clone(c.threads[i].seen)
	}
	c.sched = append([]interp.ThreadID(nil), w.sched...)
	c.answers = map[interp.ThreadID][]uint64{}
	for id, a := range w.answers {
		c.answers[id] = a[:len(a):len(a)]
	}
	c.force, c.skips, c.open = maps.Clone(w.force), maps.Clone(w.skips), nil
	c.s = w.s.Snapshot()
	c.s.SetInputs(interp.InputFunc(c.input))
	return &c
}

// running reports whether the execution goes on and the thread can step.
func (w *walk) running(id interp.ThreadID) bool {
	return w.s.Status() == interp.Running && id >= 0 && int(id) < w.s.NumThreads() && w.s.CanStep(id)
}

func (w *walk) of(id interp.ThreadID) *place {
	for int(id) >= len(w.threads) {
		w.threads = append(w.threads, place{})
	}
	return &w.threads[id]
}

// settle runs what a thread does on its own, up to before its next step that others may
// notice; it stops where a waypoint is passed. It tells whether the thread is before such
// a step.
func (w *walk) settle(id interp.ThreadID) bool {
	for n, i := 0, w.i; w.running(id) && n < maxOwn; n++ {
		if w.s.Visible(id) {
			return true
		}
		w.pass(id, false)
		if w.i != i {
			return false
		}
		w.one(id)
		if w.s.Status() != interp.Running {
			w.sched = append(w.sched, id) // it failed on its own
		}
		if w.i != i {
			return false
		}
	}
	return false
}

// visible takes the step that a settled thread is before, or its whole atomic section.
func (w *walk) visible(id interp.ThreadID) {
	w.sched = append(w.sched, id)
	depth, first := 0, true
	for w.running(id) {
		vis := w.s.Visible(id)
		if !first {
			if vis && depth <= 0 {
				break
			}
			w.pass(id, vis)
		}
		first = false
		depth += nesting(w.one(id))
		if vis {
			w.of(id).steps++
		}
		if depth <= 0 {
			break
		}
	}
}

// one takes an instruction.
func (w *walk) one(id interp.ThreadID) *interp.Event {
	w.r.steps++
	at := w.s.Next(id)
	if p := w.of(id); p.seen != nil && w.r.src.statement(at.Pos) == p.at {
		p.seen[instr(at)] = true
	}
	ev := w.s.Step(id)
	w.r.after(w, id, at, ev)
	return ev
}

func instr(p interp.Place) any {
	if p.Instr != nil {
		return p.Instr
	}
	return p.Term
}

// pass goes on to the next waypoint if the thread is where it says, before a step.
func (w *walk) pass(id interp.ThreadID, vis bool) bool {
	if w.i >= len(w.r.points) {
		return false
	}
	p := &w.r.points[w.i]
	if p.Type != Assumption || !w.r.names(p, id) {
		return false
	}
	next := w.s.Next(id)
	if !w.r.matches(w, p, id, next, vis) {
		return false
	}
	if !w.r.v.After && evaluate(w.r.m.IR, w.s, id, p.Constraint) == no {
		return false
	}
	return w.passed(id, next.Pos)
}

// passed notes that a thread has passed the next waypoint, unless this time is to be
// passed over.
func (w *walk) passed(id interp.ThreadID, at ir.Pos) bool {
	if w.skips[w.i] > 0 {
		w.skips[w.i]--
		return false
	}
	if w.r.points[w.i].Type == Assumption {
		*w.of(id) = place{at: w.r.src.statement(at), seen: map[any]bool{}}
	}
	w.i++
	w.cur, w.stopped = id, false
	return true
}

// input answers a query: as the next waypoint says, else 0.
func (w *walk) input(q *interp.Query) uint64 {
	as := w.answers[q.Thread]
	k := query{q.Thread, len(as)}
	v, ok := w.force[k]
	if !ok {
		var others []uint64
		if v, others = w.r.answer(w, q); len(others) > 0 {
			w.open = append(w.open, choice{k, others})
		}
	}
	w.answers[q.Thread] = append(as, v)
	return v
}
