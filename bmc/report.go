package bmc

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/interp"
)

// report replays the model's execution and adds the bug that it shows.
func (q *query) report(g goal, csb int) error {
	x, err := q.e.extract(q.s, q.turns)
	if err != nil {
		return err
	}
	for _, a := range g.alts {
		if x.value(a.cond) == 1 {
			g.p, g.q = a.p, a.q
			break
		}
	}
	r, err := x.replay(q.e.u, q.c.m, q.c.h.interp())
	if err == nil {
		var bug *Bug
		if bug, err = r.confirm(g); err == nil {
			bug.CSB, bug.Idle = csb, q.e.idle()
			q.c.res.Bugs = append(q.c.res.Bugs, *bug)
			return nil
		}
	}
	if e := r.s.Err(); e != nil && e.Kind == interp.ErrLockInit { // C says nothing about such programs, and the unfolding takes these locks to be free
		q.c.unready = append(q.c.unready, Limit{"undefined", e.Pos, "a lock or barrier is used that was never initialised, or was destroyed: executions are followed up to there"})
		return nil
	}
	if e := r.s.Err(); e != nil && e.Kind == interp.ErrHandle { // nor about these; the unfolding lets a thread be joined that was detached
		q.c.unready = append(q.c.unready, Limit{"undefined", e.Pos, "a thread is joined or detached that was before, or is none: executions are followed up to there"})
		return nil
	}
	if at, ok := q.stray(x); ok {
		q.c.unready = append(q.c.unready, at)
		return nil
	}
	if l := q.e.u.unwritten; l != nil {
		q.c.unready = append(q.c.unready, *l)
		return nil
	}
	q.c.res.Unconfirmed = append(q.c.res.Unconfirmed, fmt.Sprintf("%s: %v", g.key(), err))
	return nil
}

// stray reports whether a model has pointers that were never written and lead nowhere. The interpreter lets these lead to memory of the environment, so that what follows
// them is another execution there.
func (q *query) stray(x *execution) (Limit, bool) {
	for _, c := range q.e.u.w.cells {
		t := q.e.u.init[c]
		if t == nil || t.Width != 64 {
			continue
		}
		if _, num := t.IsNum(); !num && x.value(t) == nowhere {
			return Limit{"undefined", c.obj.place(), "a pointer is used that was never written"}, true
		}
	}
	return Limit{}, false
}

// place is where an object is made.
func (o *object) place() ir.Pos {
	switch {
	case o.site != nil:
		return o.site.Pos
	case o.global != nil:
		return o.global.Pos
	}
	return ir.Pos{}
}

// interp is the harness for the interpreter.
func (h Harness) interp() interp.Harness {
	conv := func(rs []Root) []interp.Root {
		var out []interp.Root
		for _, r := range rs {
			if r.Entry != nil {
				out = append(out, interp.RootOf(r.Entry))
			} else {
				out = append(out, interp.Root{Func: r.Func, Name: r.Name, Private: r.Private})
			}
		}
		return out
	}
	return interp.Harness{Init: conv(h.Init), Roots: conv(h.Roots), Main: h.Main, Registrations: !h.Main, Registered: h.Registered}
}
