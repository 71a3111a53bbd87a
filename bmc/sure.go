package bmc

import (
	"maps"

	"whoop/ir"
	"whoop/smt/bv"
)

// A bug in whose execution code not seen yields a value is no possible one if it happens
// whatever that value is. The execution of a model is one of the program for all values
// for which the conditions on its path come out the same: these make a region. Further
// executions with the bug are asked for outside of the regions that are known, until
// there are none; where no values are left either, the bug is sure.

// fewRegions bounds the questions.
const fewRegions = 4

// region is a condition on the values that code not seen yields, under which the
// execution of a model is one of the program.
type region struct {
	q      *query
	vars   map[*bv.Term]bool // the values
	by     map[ir.Instr]bool // where they are yielded
	kinds  map[*bv.Term]dependence
	conds  []*bv.Term
	seen   map[*bv.Term]bool
	failed bool // that is not known
	err    error
}

// dependence is what a term is made of.
type dependence int

const (
	ofNone  dependence = iota // none of the values
	ofVals                    // the values and literals
	ofMixed                   // other variables, too
	ofLiteral
)

// regionOf is that of the solver's model; nil where it is not known.
func (q *query) regionOf(x *execution) (*region, error) {
	r := &region{q: q, vars: map[*bv.Term]bool{}, by: map[ir.Instr]bool{}, kinds: map[*bv.Term]dependence{}, seen: map[*bv.Term]bool{}}
	for _, t := range q.e.u.threads {
		for _, l := range x.path[t] {
			for _, g := range l.guesses {
				if q.e.slice.matters(g) {
					r.by[l.in] = true
					r.add(g)
				}
			}
		}
	}
	if len(r.vars) == 0 {
		return r, nil
	}
	for _, t := range q.e.u.threads {
		for _, l := range t.log {
			r.guard(l.guard)
		}
		for _, p := range t.pos {
			if r.guard(p.guard); r.holds(p.guard) {
				r.position(p)
			}
		}
	}
	if r.failed || r.err != nil {
		return nil, r.err
	}
	return r, nil
}

// add adds the variables of a value.
func (r *region) add(t *bv.Term) {
	if t.Op == bv.OpVar {
		r.vars[t] = true
	}
	for _, a := range t.Args {
		r.add(a)
	}
}

func (r *region) holds(t *bv.Term) bool {
	v, err := r.q.s.Value(t)
	if err != nil && r.err == nil {
		r.err = err
	}
	return v == 1
}

// of tells what a term is made of.
func (r *region) of(t *bv.Term) dependence {
	if d, ok := r.kinds[t]; ok {
		return d
	}
	d := ofLiteral
	if t.Op == bv.OpVar {
		if d = ofNone; r.vars[t] {
			d = ofVals
		}
	}
	for _, a := range t.Args {
		switch k := r.of(a); {
		case d == ofLiteral || d == k:
			d = k
		case k != ofLiteral:
			d = ofMixed
		}
	}
	r.kinds[t] = d
	return d
}

// guard notes what a guard depends on. One that is false whatever the values are stays
// so.
func (r *region) guard(t *bv.Term) {
	if t.Op == bv.OpAnd {
		for _, a := range t.Args {
			if d := r.of(a); (d == ofNone || d == ofLiteral) && !r.holds(a) {
				return
			}
		}
	}
	r.condition(t)
}

// condition notes that a condition comes out as it does in the model.
func (r *region) condition(t *bv.Term) {
	if r.seen[t] {
		return
	}
	r.seen[t] = true
	switch d := r.of(t); {
	case d == ofNone || d == ofLiteral:
	case d == ofVals && t.Width == 0:
		if !r.holds(t) {
			t = r.q.e.b.Not(t)
		}
		r.conds = append(r.conds, t)
	case t.Op == bv.OpAnd || t.Op == bv.OpOr || t.Op == bv.OpNot:
		for _, a := range t.Args {
			r.condition(a)
		}
	default:
		r.failed = true
	}
}

// event notes what a position of the path depends on; where a value is stored, that is
// not followed.
func (r *region) position(p *event) {
	for _, c := range p.require {
		r.condition(c)
	}
	for _, c := range p.checks {
		r.condition(c.bad)
	}
	if p.invalid != nil {
		r.condition(p.invalid)
	}
	if p.enabled != nil {
		r.condition(p.enabled(func(i int) *bv.Term { return p.reads[i].v }))
	}
	for _, rd := range p.reads {
		r.targets(rd.targets)
	}
	for _, w := range p.writes {
		r.targets(w.targets)
		if d := r.of(w.val); d == ofVals || d == ofMixed {
			for _, t := range w.targets {
				r.failed = r.failed || r.q.e.slice.cells[t.c]
			}
		}
	}
	if p.ac != nil {
		for _, a := range p.ac.touches {
			r.targets(a.targets)
		}
	}
}

func (r *region) targets(ts []target) {
	for _, t := range ts {
		r.condition(t.match)
	}
}

// surely finds out which of the bugs from number n on, which the goals are, happen
// whatever code not seen yields; first is the region of the execution that shows them. It
// asks few questions; the solver has no model of the bugs any more.
func (q *query) surely(n int, goals []goal, first *region, bound *bv.Term) {
	for i, g := range goals {
		if by, yes := q.sure(g, first, bound); yes {
			b := &q.c.res.Bugs[n+i]
			b.Idle = maps.Clone(b.Idle)
			maps.Copy(b.Idle, by)
		}
	}
}

// sure reports whether a bug happens whatever code not seen yields, and where that yields
// it.
func (q *query) sure(g goal, first *region, bound *bv.Term) (by map[ir.Instr]bool, yes bool) {
	b := q.e.b
	before := q.effort
	defer func() { q.effort = before }()
	q.limit, q.rival = fewConflicts, nil
	by = map[ir.Instr]bool{}
	rest := b.True
	for r, n := first, 0; n < fewRegions; n++ {
		for in := range r.by {
			by[in] = true
		}
		rest = b.And(rest, b.Not(b.And(r.conds...)))
		if some, err := q.possible(rest, nil); err != nil || !some {
			return by, err == nil
		}
		if some, err := q.possible(b.And(rest, g.cond), bound); err != nil || !some {
			return nil, false
		}
		x, err := q.e.extract(q.s, q.turns)
		if err != nil {
			return nil, false
		}
		if r, err = q.regionOf(x); err != nil || r == nil {
			return nil, false
		}
	}
	return nil, false
}
