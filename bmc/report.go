package bmc

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/interp"
)

// replay runs the model's execution and gives the bug that it shows.
func (q *query) replay(x *execution, g goal, csb int) (*Bug, *replayer, error) {
	for _, a := range g.alts {
		if x.value(a.cond) == 1 {
			g.p, g.q = a.p, a.q
			break
		}
	}
	r, err := x.replay(q.e.u, q.c.m, q.c.h.interp())
	if err != nil {
		return nil, r, err
	}
	bug, err := r.confirm(g)
	if err != nil {
		return nil, r, err
	}
	bug.CSB, bug.Idle = csb, q.e.idle()
	return bug, r, nil
}

// unconfirmed says why the model's execution was none of the program, where that is
// known, and that it was not where it is not.
func (q *query) unconfirmed(x *execution, g goal, r *replayer, err error) {
	c := q.c
	undefined := func(at ir.Pos, text string) { c.unready = append(c.unready, Limit{"undefined", at, text}) }
	e := r.s.Err()
	switch at, stray := q.stray(x); {
	case e != nil && e.Kind == interp.ErrLockInit: // C says nothing about such programs, and the unrolling takes these locks to be free
		undefined(e.Pos, "a lock or barrier is used that was never initialised, or was destroyed: executions are followed up to there")
	case e != nil && e.Kind == interp.ErrHandle: // nor about these; the unrolling lets a thread be joined that was detached
		undefined(e.Pos, "a thread is joined or detached that was before, or is none: executions are followed up to there")
	case stray:
		c.unready = append(c.unready, at)
	case q.e.u.unwritten != nil:
		c.unready = append(c.unready, *q.e.u.unwritten)
	default:
		c.res.Unconfirmed = append(c.res.Unconfirmed, fmt.Sprintf("%s: %v", g.key(), err))
	}
}

// stray reports whether a model has pointers that were never written and lead nowhere.
// The interpreter lets these lead to memory of the environment, so that what follows them
// is another execution there.
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
	return interp.Harness{Init: conv(h.Init), Roots: conv(h.Roots), Main: h.Main, Stays: h.Stays, Registrations: !h.Main, Registered: h.Registered}
}
