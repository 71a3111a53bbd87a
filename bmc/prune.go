package bmc

import (
	"slices"
	"time"

	"whoop/ir"
	"whoop/smt/bv"
)

// What no thread can do by itself, whatever it reads, no interleaving does. Before a
// formula has interleavings, errors and undefined behaviour are therefore looked for in
// each thread alone, and those that are impossible are left out of the unrolling. Most
// programs release the locks that they hold, and take none twice; to find that out among
// all interleavings takes the solver as long as the property itself.

// doubt is an error or undefined behaviour of a position, which may be impossible.
type doubt struct {
	p    *event
	bad  *check // nil: it is undefined behaviour
	cond *bv.Term
}

// prune leaves errors and undefined behaviour out of the unrolling that no thread by
// itself has. What is not decided within few conflicts stays.
func (c *checker) prune() error {
	d := newDiscipline(c.u)
	var doubts []doubt
	for _, t := range c.u.threads {
		doubts = append(doubts, d.doubts(t)...)
	}
	if len(doubts) == 0 {
		return nil
	}
	q := &query{c: c, e: &encoding{u: d.u, b: d.b, hard: d.facts}}
	if err := q.open(time.Now()); err != nil {
		return err
	}
	defer q.close()
	q.limit = fewConflicts / 10
	for _, memory := range []bool{false, true} {
		no, err := q.impossible(slices.DeleteFunc(slices.Clone(doubts), func(n doubt) bool { return n.bad == nil && n.p.memory != memory || n.bad != nil && memory }))
		if err != nil {
			return err
		}
		for _, n := range no {
			n.forget(d.b)
		}
	}
	return nil
}

// fewModels bounds how often what holds in a model is taken away: where arguments are
// arbitrary, most accesses may be invalid.
const fewModels = 5

// impossible returns those of the doubts that cannot hold: it takes away what holds in
// one model after the other. It returns none where that takes long.
func (q *query) impossible(doubts []doubt) ([]doubt, error) {
	for range fewModels {
		if len(doubts) == 0 {
			break
		}
		some := make([]*bv.Term, len(doubts))
		for i, d := range doubts {
			some[i] = d.cond
		}
		is, err := q.possible(q.e.b.Or(some...), nil)
		if err != nil {
			return nil, unlimited(err)
		}
		if !is {
			return doubts, nil
		}
		var left []doubt
		for _, d := range doubts {
			v, err := q.s.Value(d.cond)
			if err != nil {
				return nil, err
			}
			if v != 1 {
				left = append(left, d)
			}
		}
		doubts = left
	}
	return nil, nil
}

// doubts collects the errors and the undefined behaviour of a thread, and the facts about
// what it reads.
func (d *discipline) doubts(t *thread) []doubt {
	d.held = map[*cell]*bv.Term{}
	var out []doubt
	for _, p := range t.pos {
		for _, r := range p.reads {
			d.read(p, r)
		}
		for _, c := range p.checks {
			out = append(out, doubt{p, c, d.b.And(p.guard, c.bad)})
		}
		if p.invalid != nil {
			out = append(out, doubt{p, nil, d.b.And(p.guard, p.invalid)})
		}
		for _, w := range p.writes {
			for _, t := range w.targets {
				if lockCell(t.c) {
					d.follow(p, t, w.val)
				}
			}
		}
	}
	return out
}

// resets finds the locks whose holder one thread may change for another: those that are
// initialised where others may use them, and those that the environment takes for an
// entry point.
func (d *discipline) resets() {
	for _, t := range d.u.threads {
		for _, p := range t.pos {
			if _, init := p.in.(*ir.LockInit); !init && p.kind != posEnd {
				continue
			}
			for _, w := range p.writes {
				for _, t := range w.targets {
					d.reset[t.c] = true
				}
			}
		}
	}
}

// forget leaves what cannot be out of its position.
func (n *doubt) forget(b *bv.Builder) {
	p := n.p
	not := (*bv.Term)(nil)
	if n.bad != nil {
		not = b.Not(n.bad.bad)
		p.checks = slices.DeleteFunc(p.checks, func(c *check) bool { return c == n.bad })
	} else {
		not = b.Not(p.invalid)
		p.invalid, p.memory = nil, false
	}
	p.require = slices.DeleteFunc(p.require, func(r *bv.Term) bool { return r == not })
	if p.kind == posStep && len(p.require) == 0 && len(p.checks) == 0 && p.invalid == nil && p.beyond == nil && p.enabled == nil && p.ac == nil {
		p.poise = false
	}
}
