package bmc

import "whoop/smt/bv"

// maxNearby bounds how many executions are tried near one that a model shows.
const maxNearby = 200

// nearby looks for races near the execution of a model, without the solver: one root of a
// pair runs up to its access and then the other one up to its own, on the paths and with
// the inputs of the model. That is one preemption. Drivers' handlers race in many places
// at once, and each model takes the solver seconds where running one takes milliseconds.
func (q *query) nearby(x *execution, csb int) error {
	if q.e.u.main || csb == 0 || q.c.opt.FirstBug {
		return nil
	}
	on := map[*bv.Term]bool{}
	holds := func(t *bv.Term) bool {
		v, ok := on[t]
		if !ok {
			n, err := q.s.Value(t)
			v = err == nil && n == 1
			on[t] = v
		}
		return v
	}
	tries := 0
	for _, g := range q.goals {
		if g.kind != "race" || q.c.found[g.key()] {
			continue
		}
		for _, a := range g.alts {
			if tries >= maxNearby || q.c.found[g.key()] || q.c.ctx.Err() != nil {
				break
			}
			if !a.p.thread.root || !a.q.thread.root || a.p.atomic || a.q.atomic || !holds(a.p.guard) || !holds(a.q.guard) {
				continue
			}
			tries++
			for _, order := range [][2]*event{{a.p, a.q}, {a.q, a.p}} {
				if bug := q.try(x, g, a, order, holds); bug != nil {
					bug.CSB = csb
					q.c.res.Bugs = append(q.c.res.Bugs, *bug)
					q.c.found[g.key()] = true
					break
				}
			}
		}
	}
	return q.c.ctx.Err()
}

// try runs two roots, one after the other, up to their accesses, and gives the race that
// shows, nil where none does or where they leave their paths.
func (q *query) try(x *execution, g goal, a alternative, order [2]*event, holds func(*bv.Term) bool) *Bug {
	y := *x
	y.turns = nil
	for _, p := range order {
		y.turns = append(y.turns, before(p, holds))
	}
	g.p, g.q, g.alts = a.p, a.q, nil
	bug, r, err := q.replay(&y, g, 0)
	if err != nil || r.strayed {
		return nil
	}
	return bug
}

// before is the turn of a thread from its start to before a position of its path.
func before(p *event, holds func(*bv.Term) bool) turn {
	t := p.thread
	tn := turn{t: t, upto: -1, next: p.log}
	for k := p.num - 1; k >= 0; k-- {
		if o := t.pos[k]; o.log >= 0 && holds(o.guard) {
			tn.upto = o.log
			break
		}
	}
	return tn
}
