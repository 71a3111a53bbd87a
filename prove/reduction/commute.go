package reduction

import (
	"maps"

	"whoop/smt/bv"
)

// A swap is of a step with another that follows it.
type swap struct {
	first, next *step
	known       knowledge
}

// commutes reports whether a step of one thread and any of another at a place that
// follows it may be exchanged, where something is known: whenever both are possible in
// this order, they are in the other one, and do the same; where the second fails, it does
// without the first. That is enough for sleep sets, which leave the least of all
// executions in the order of preference: an execution in which the other thread sleeps
// and then makes its step has a lesser one beside it, in which it makes it before.
func (g *product) commutes(s *step, u int, at place, known knowledge) (bool, error) {
	others, err := g.m.stepsAt(g.m.threads[u], at)
	if err != nil {
		return false, err
	}
	for _, r := range others {
		k := swap{s, r, known & (g.touch(s).any() | g.touch(r).any())}
		ok, seen := g.swaps[k]
		if !seen {
			if ok, err = g.commute(k); err != nil {
				return false, err
			}
			g.swaps[k] = ok
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}

func (g *relations) commute(k swap) (bool, error) {
	s, r := k.first, k.next
	for id, w := range s.regions {
		if v, ok := r.regions[id]; ok && (v || w) {
			return false, nil
		}
	}
	if !meets(s.set, r.reads) && !meets(r.set, s.reads) && !overlap(s.set, r.set) {
		return true, nil
	}
	if meets(s.set, g.m.memReads(r)) || meets(r.set, g.m.memReads(s)) {
		return false, nil
	}
	b := g.m.b
	g1, v1 := g.m.after(s, r)
	g2, v2 := g.m.after(r, s)
	var differ []*bv.Term
	if r.fails {
		g2 = r.guard
	} else {
		all := maps.Clone(v1)
		maps.Copy(all, v2)
		for _, k := range inOrder(all) {
			x, y := g.m.get(v1, k), g.m.get(v2, k)
			if x != y {
				differ = append(differ, b.Not(b.Eq(x, y)))
			}
		}
	}
	if g1 != g2 {
		differ = append(differ, b.Not(g2))
	}
	if len(differ) == 0 {
		return true, nil
	}
	if err := g.begin(k.known, b.And(g1, b.Or(differ...))); err != nil {
		return false, err
	}
	sat, err := g.check(b.True)
	if err != nil {
		return false, g.m.ctx.Err()
	}
	return !sat, nil
}

// swapConflicts bounds the solver's work for two steps: where it does not know, they are
// not exchanged. It bounds that for each relation after a step, too.
const swapConflicts = 3000

// after is what is so after two steps, one after the other: whether they can be made, and
// the slots that they change.
func (m *machine) after(s, r *step) (*bv.Term, map[slot]*bv.Term) {
	by := map[*bv.Term]*bv.Term{}
	for _, k := range inOrder(s.set) {
		by[m.get(nil, k)] = s.set[k]
	}
	vals := maps.Clone(s.set)
	if vals == nil {
		vals = map[slot]*bv.Term{}
	}
	for _, k := range inOrder(r.set) {
		vals[k] = m.b.Substitute(r.set[k], by)
	}
	return m.b.And(s.guard, m.b.Substitute(r.guard, by)), vals
}

// memReads are the slots that the addresses and values of a step's accesses to arrays
// depend on.
func (m *machine) memReads(s *step) map[slot]bool {
	out := map[slot]bool{}
	if len(s.mem) == 0 {
		return out
	}
	t := &step{guard: m.b.True, mem: s.mem}
	m.note(t)
	return t.reads
}

func meets(set map[slot]*bv.Term, reads map[slot]bool) bool {
	for k := range set {
		if reads[k] {
			return true
		}
	}
	return false
}

func overlap(x, y map[slot]*bv.Term) bool {
	for k := range x {
		if y[k] != nil {
			return true
		}
	}
	return false
}
