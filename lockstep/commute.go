package lockstep

import (
	"maps"

	"whoop/smt/bv"
)

// commutes reports whether a step of one thread and all steps of another at a place do the same in both orders, also where they are not possible, or fail.
func (g *product) commutes(s *step, u int, at place) (bool, error) {
	others, err := g.m.stepsAt(g.m.threads[u], at)
	if err != nil {
		return false, err
	}
	for _, r := range others {
		k := [2]*step{s, r}
		ok, seen := g.commuting[k]
		if !seen {
			if ok, err = g.commute(s, r); err != nil {
				return false, err
			}
			g.commuting[k], g.commuting[[2]*step{r, s}] = ok, ok
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}

func (g *product) commute(s, r *step) (bool, error) {
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
	if g1 != g2 {
		differ = append(differ, b.Not(b.Eq(g1, g2)))
	}
	all := maps.Clone(v1)
	maps.Copy(all, v2)
	for k := range all {
		x, y := g.m.get(v1, k), g.m.get(v2, k)
		if x != y {
			differ = append(differ, b.And(g1, b.Not(b.Eq(x, y))))
		}
	}
	if len(differ) == 0 {
		return true, nil
	}
	p, err := g.m.opt.Solver()
	if err != nil {
		return false, err
	}
	defer p.Close()
	p.Limit(commuteConflicts)
	if err := p.Assert(b.Or(differ...)); err != nil {
		return false, err
	}
	sat, err := p.Check()
	if err != nil {
		return false, g.m.ctx.Err()
	}
	return !sat, nil
}

// commuteConflicts bounds the solver's work for two steps: where it does not know, they do not commute.
const commuteConflicts = 500

// after is what is so after two steps, one after the other: whether they can be made, and the slots that they change.
func (m *machine) after(s, r *step) (*bv.Term, map[slot]*bv.Term) {
	by := map[*bv.Term]*bv.Term{}
	for k, v := range s.set {
		by[m.get(nil, k)] = v
	}
	vals := maps.Clone(s.set)
	if vals == nil {
		vals = map[slot]*bv.Term{}
	}
	for k, v := range r.set {
		vals[k] = m.b.Substitute(v, by)
	}
	return m.b.And(s.guard, m.b.Substitute(r.guard, by)), vals
}

// memReads are the slots that the addresses and values of a step's accesses to arrays depend on.
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
