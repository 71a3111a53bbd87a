package absint

import (
	"context"
	"slices"

	"whoop/internal/houdini"
	"whoop/ir"
	"whoop/smt/bv"
)

// An item is a step to be looked at, by itself or (other) with a thread that is at
// another point.
type item struct {
	step  *transition
	p     *prover
	other *point
}

// assumed are the points and the pairs of points of which an item rests on what is
// believed: a point is itself and -1.
func (x *item) assumed() [][2]int {
	out := [][2]int{{x.step.from.id, -1}}
	if x.other != nil {
		out = append(out, [2]int{x.other.id, -1}, key(x.step.from.id, x.other.id))
	}
	return out
}

// houdini drops guesses until each step keeps all that are left. Steps by themselves come
// first.
func (iv *invariants) houdini(ctx context.Context) error {
	var alone, both []*item
	for _, p := range iv.points {
		for _, t := range p.steps {
			pr, err := iv.prover()
			if err != nil {
				return err
			}
			if err := pr.Assert(t.guard); err != nil {
				return err
			}
			alone = append(alone, &item{step: t, p: pr})
			for _, q := range iv.points {
				if q.depth > 0 || q.thread == p.thread && !p.thread.multi || q.index < 0 {
					continue
				}
				both = append(both, &item{step: t, p: pr, other: q})
			}
		}
	}
	items := append(alone, both...)
	assumed := make([][][2]int, len(items))
	for i, x := range items {
		assumed[i] = x.assumed()
	}
	return houdini.Run(ctx, houdini.Rounds, assumed,
		func(i int) ([][2]int, error) { return iv.keepStep(items[i]) })
}

func key(p, q int) [2]int { return [2]int{min(p, q), max(p, q)} }

// keepStep drops what a step does not keep. It returns what was changed: a point and -1,
// or two points.
func (iv *invariants) keepStep(x *item) (changed [][2]int, err error) {
	t := x.step
	var as []*bv.Term
	inv, err := x.p.invariant(t.from, "k")
	if err != nil {
		return nil, err
	}
	as = append(as, inv)
	if len(iv.counters) > 0 {
		at := []*point{t.from}
		if x.other != nil {
			at = append(at, x.other)
		}
		inv, err := x.p.assumed(invariant{p: t.from, q: x.other, role: "number"}, func() []*bv.Term { return iv.counted(at...) })
		if err != nil {
			return nil, err
		}
		as = append(as, inv)
	}
	after := func(s slot) *bv.Term {
		if s.local() {
			return t.locals[s]
		}
		if v := t.shared[s]; v != nil {
			return v
		}
		return iv.b.Var(s.name("k"), s.width)
	}
	if x.other == nil {
		var terms []*bv.Term
		for _, c := range t.to.inv {
			terms = append(terms, iv.term(c, func(s slot, _ bool) *bv.Term { return after(s) }, false))
		}
		keep, err := x.p.kept(as, terms, t.to.implied(nil))
		if err != nil {
			return nil, err
		}
		if iv.drop(t.to, keep) {
			changed = append(changed, [2]int{t.to.id, -1})
		}
		return changed, nil
	}
	q := x.other
	now := iv.pairs[key(t.from.id, q.id)]
	if now != nil && now.never {
		return nil, nil
	}
	inv, err = x.p.invariant(q, "j")
	if err != nil {
		return nil, err
	}
	as = append(as, inv)
	if now != nil {
		inv, err := x.p.pairBelief(now, t.from, q)
		if err != nil {
			return nil, err
		}
		as = append(as, inv)
	}
	return iv.keepOther(x.p, t, q, as, after)
}

// implied reports, for prover.kept, whether a candidate of the point follows from others:
// of those asked about (which; nil: all) where they are kept, or of those that the step
// does not touch.
func (p *point) implied(which []int) func(i int, keep []bool) bool {
	const gone, untouched = -2, -1
	at := make([]int, len(p.by)) // of a candidate's number: its place among those asked about
	for i := range at {
		at[i] = gone
	}
	for _, c := range p.inv {
		at[c.id] = untouched
	}
	ids := make([]int, 0, len(p.inv))
	if which == nil {
		for i := range p.inv {
			which = append(which, i)
		}
	}
	for k, i := range which {
		at[p.inv[i].id] = k
		ids = append(ids, p.inv[i].id)
	}
	return func(i int, keep []bool) bool {
		if i >= len(ids) {
			return false
		}
		for _, j := range p.by[ids[i]] {
			if k := at[j]; k == untouched || k >= 0 && keep[k] {
				return true
			}
		}
		return false
	}
}

// keepOther is keepStep for what is believed of another thread, and of both.
func (iv *invariants) keepOther(pr *prover, t *transition, q *point, as []*bv.Term, after func(slot) *bv.Term) (changed [][2]int, err error) {
	j := func(s slot) *bv.Term {
		if s.local() {
			return iv.b.Var(s.name("j"), s.width)
		}
		return after(s)
	}
	var terms []*bv.Term
	which := []int{}
	for i, c := range q.inv {
		if t.touches(c) {
			terms = append(terms, iv.term(c, func(s slot, _ bool) *bv.Term { return j(s) }, false))
			which = append(which, i)
		}
	}
	then := iv.pairs[key(t.to.id, q.id)]
	if then != nil && !then.fixed {
		if then.never {
			terms = append(terms, iv.b.False)
		} else {
			for _, c := range then.inv {
				x := iv.term(c, iv.roles(t.to, q, after, j), true)
				if t.to == q { // either may be called the first
					x = iv.b.And(x, iv.term(c, iv.roles(t.to, q, j, after), true))
				}
				terms = append(terms, x)
			}
		}
	}
	if len(terms) == 0 {
		return nil, nil
	}
	keep, err := pr.kept(as, terms, q.implied(which))
	if err != nil {
		return nil, err
	}
	all := make([]bool, len(q.inv))
	for i := range all {
		all[i] = true
	}
	for k, i := range which {
		all[i] = keep[k]
	}
	if iv.drop(q, all) {
		changed = append(changed, [2]int{q.id, -1})
	}
	if then == nil || then.fixed {
		return changed, nil
	}
	rest := keep[len(which):]
	if then.never {
		if !rest[0] {
			then.never = false
			then.version++
			// What is believed besides was not looked at yet.
			more, err := iv.keepOther(pr, t, q, as, after)
			changed = append(append(changed, key(t.to.id, q.id)), more...)
			return changed, err
		}
		return changed, nil
	}
	var out []candidate
	for i, c := range then.inv {
		if rest[i] {
			out = append(out, c)
		}
	}
	if len(out) < len(then.inv) {
		then.inv = out
		then.version++
		changed = append(changed, key(t.to.id, q.id))
	}
	return changed, nil
}

// roles says what the slots of a pair's candidates are: those of the point with the
// smaller number come first.
func (iv *invariants) roles(p, q *point, k, j func(slot) *bv.Term) func(slot, bool) *bv.Term {
	return func(s slot, second bool) *bv.Term {
		if second == (p.id <= q.id) {
			return j(s)
		}
		return k(s)
	}
}

// touches reports whether a step changes what a candidate speaks of.
func (t *transition) touches(c candidate) bool {
	if t.shared[c.x] != nil || !c.isNum && t.shared[c.y] != nil {
		return true
	}
	return c.unless != nil && t.shared[*c.unless] != nil || c.given != nil && t.shared[*c.given] != nil
}

// An invariant names what is believed of a thread in a role, or of two threads.
type invariant struct {
	p, q    *point
	pair    *pair
	role    string
	version int
}

// assumed is a literal for a conjunction.
func (p *prover) assumed(b invariant, terms func() []*bv.Term) (*bv.Term, error) {
	if l := p.believed[b]; l != nil {
		return l, nil
	}
	l := p.iv.b.Fresh("inv", 0)
	p.believed[b] = l
	return l, p.Assert(p.iv.b.Implies(l, p.iv.b.And(terms()...)))
}

// invariant is what is believed of a thread at a point.
func (pr *prover) invariant(p *point, role string) (*bv.Term, error) {
	iv := pr.iv
	return pr.assumed(invariant{p: p, role: role, version: p.version}, func() (out []*bv.Term) {
		implied := p.implied(nil)
		keep := slices.Repeat([]bool{true}, len(p.inv))
		for i, c := range p.inv {
			if !implied(i, keep) {
				out = append(out, iv.term(c, func(s slot, _ bool) *bv.Term { return iv.b.Var(s.name(role), s.width) }, false))
			}
		}
		return out
	})
}

// pairBelief is what is believed of two threads, the first in role k.
func (pr *prover) pairBelief(x *pair, p, q *point) (*bv.Term, error) {
	iv := pr.iv
	k := func(s slot) *bv.Term { return iv.b.Var(s.name("k"), s.width) }
	j := func(s slot) *bv.Term { return iv.b.Var(s.name("j"), s.width) }
	return pr.assumed(invariant{p: p, q: q, pair: x, version: x.version}, func() (out []*bv.Term) {
		for _, c := range x.inv {
			out = append(out, iv.term(c, iv.roles(p, q, k, j), true))
			if p == q {
				out = append(out, iv.term(c, iv.roles(p, q, j, k), true))
			}
		}
		return out
	})
}

// unproved are the assertions that may fail.
func (iv *invariants) unproved() (map[ir.Instr]bool, error) {
	out := map[ir.Instr]bool{}
	pr, err := iv.prover()
	if err != nil {
		return nil, err
	}
	for _, o := range iv.obligations {
		inv, err := pr.invariant(o.at, "k")
		if err != nil {
			return nil, err
		}
		numbers, err := pr.assumed(invariant{p: o.at, role: "number"}, func() []*bv.Term { return iv.counted(o.at) })
		if err != nil {
			return nil, err
		}
		keep, err := pr.kept([]*bv.Term{inv, numbers}, []*bv.Term{iv.b.Not(o.guard)}, nil)
		if err != nil {
			return nil, err
		}
		if !keep[0] {
			out[o.assert] = true
		}
	}
	return out, nil
}
